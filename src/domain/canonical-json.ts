/** Hashes text; the domain itself knows no cryptography. */
export type TextDigest = (text: string) => string;

const LONG_STRING = 4096;
const MAX_DEPTH = 200;

/**
 * One text for equal values: keys sorted, no spaces, undefined members left out as JSON does; undefined
 * where the value is nested deeper than 200 levels. Given a digest, a long string is replaced by `#length:digest`, which no JSON text can begin with,
 * so that a megabyte of content is read once and never copied.
 */
export function canonicalJson(value: unknown, digest?: TextDigest): string | undefined {
  return isDeeperThan(value, MAX_DEPTH) ? undefined : write(value, digest);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) {
    if (isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

function write(value: unknown, digest: TextDigest | undefined): string {
  if (typeof value === 'string') {
    return digest !== undefined && value.length > LONG_STRING
      ? `#${value.length}:${digest(value)}`
      : JSON.stringify(value);
  }
  if (typeof value !== 'object' || value === null) return writePrimitive(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, digest)).join(',')}]`;
  return writeMembers(value, digest);
}

function writePrimitive(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return `#bigint:${value}`;
    default:
      return 'null';
  }
}

function writeMembers(value: object, digest: TextDigest | undefined): string {
  const members: [string, unknown][] = Object.entries(value);
  // Keys of one object differ, so no comparison is ever equal.
  if (members.length > 1) members.sort(([one], [other]) => (one < other ? -1 : 1));
  let text = '';
  for (const [key, member] of members) {
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${write(member, digest)}`;
  }
  return `{${text}}`;
}
