import { openSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;
const HIGHEST = 65_536;

/**
 * Descriptors that somebody left open in the server and that every child would inherit. Node marks its own;
 * these came with the start, from a client or a supervisor, so looking once is enough.
 */
export function findInheritable(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && descriptor < HIGHEST && isInheritable(descriptor));
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The listing's own descriptor is gone by now.
    return false;
  }
}

export type ExtraStdio = 'ignore' | 'pipe' | 'ipc' | number;

let covers: readonly ExtraStdio[] | undefined;

/** `wanted` as descriptors 3, 4, … of a child, and /dev/null laid over everything it must not inherit. */
export function extraDescriptors(wanted: readonly ExtraStdio[]): readonly ExtraStdio[] {
  covers ??= coverInheritable();
  return wanted.length === 0 ? covers : [...wanted, ...covers.slice(wanted.length)];
}

function coverInheritable(): readonly ExtraStdio[] {
  const stray = process.platform === 'linux' ? findInheritable() : [];
  if (stray.length === 0) return [];
  const nothing = openSync('/dev/null', 'r+');
  return Array.from({ length: Math.max(...stray) - 2 }, (_, index) =>
    stray.includes(index + 3) ? nothing : 'ignore',
  );
}
