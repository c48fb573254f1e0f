import { type Dirent, readdirSync } from 'node:fs';
import { errnoOf } from '../../state/errno.js';
import type { SensitiveRules } from './sensitive-rules.js';

const MAX_ENTRIES = 20_000;

/**
 * True where something that is to be hidden has a path that cannot be written in UTF-8, so that no mount can be
 * asked for, or where too much lies below such a name, or lies closed, to know.
 */
export function hiddenBelowInvalidName(folder: string, rules: SensitiveRules): boolean {
  let seen = 0;
  const stack: (readonly [raw: Buffer, shown: string, isBelow: boolean])[] = [
    [Buffer.from(folder), folder, false],
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [raw, shown, isBelow] = next;
    const entries = entriesOf(raw);
    if (entries === undefined) return true;
    for (const entry of entries) {
      const name = entry.name.toString();
      if (!isBelow && Buffer.from(name).equals(entry.name)) continue;
      seen += 1;
      const path = `${shown}/${name}`;
      if (seen > MAX_ENTRIES || rules.isHidden(path)) return true;
      if (entry.isDirectory()) stack.push([Buffer.concat([raw, SLASH, entry.name]), path, true]);
    }
  }
  return false;
}

const SLASH = Buffer.from('/');

function entriesOf(folder: Buffer): readonly Dirent<Buffer>[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' ? [] : undefined;
  }
}
