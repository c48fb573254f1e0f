const PLACEHOLDER = /\[castellan-redacted:[a-z0-9_-]{1,64}\]/;

/** The text that replaces a secret. The same form everywhere, which no file contains by chance. */
export function redactionPlaceholder(kind: string): string {
  const word = kind
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
    .slice(0, 64);
  return `[castellan-redacted:${word === '' ? 'secret' : word}]`;
}

/** Returns true if a text contains a placeholder: written to a file, it would overwrite the secret. */
export function isRedactionPlaceholder(text: string): boolean {
  return text.includes('[castellan-redacted:') && PLACEHOLDER.test(text);
}
