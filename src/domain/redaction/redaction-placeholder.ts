const PLACEHOLDER = /\[castellan-redacted:[a-z0-9_-]{1,64}\]/;

/** What stands where a secret stood. One form everywhere, which no file has by chance. */
export function redactionPlaceholder(kind: string): string {
  const word = kind
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
    .slice(0, 64);
  return `[castellan-redacted:${word === '' ? 'secret' : word}]`;
}

/** Whether a text holds a placeholder: written back to a file it would destroy what it stands for. */
export function isRedactionPlaceholder(text: string): boolean {
  return text.includes('[castellan-redacted:') && PLACEHOLDER.test(text);
}
