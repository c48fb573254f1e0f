const SHOWN_BYTES = 16;

/** The first half of SHA-256 in hexadecimal: identifies a content for `if_match`. */
export async function contentHash(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest.subarray(0, SHOWN_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
