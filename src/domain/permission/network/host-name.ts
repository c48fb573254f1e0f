const LONGEST_NAME = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Programs read a name that ends so as an address: `127.1`, `0x7f.1`, `2130706433`. */
const ADDRESS_LIKE = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Returns a name as rules are compared with it, or undefined if it is none. Only ASCII passes: what programs send in
 * questions, handshakes and headers has been converted before.
 */
export function parseHostName(raw: string): string | undefined {
  const name = raw.toLowerCase().replace(/\.$/, '');
  if (name.length > LONGEST_NAME) return undefined;
  const labels = name.split('.');
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  return ADDRESS_LIKE.test(labels.at(-1) ?? '') ? undefined : name;
}

const OCTET = /^(?:0|[1-9]\d{0,2})$/;

/** Returns an IPv4 address only in its one usual spelling, so that no two spellings are compared differently. */
export function parsePlainAddress(raw: string): string | undefined {
  const octets = raw.split('.');
  const isPlain = octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) < 256);
  return isPlain ? raw : undefined;
}
