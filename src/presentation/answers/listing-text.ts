import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import type { ShownAnswer } from '../../application/call/shown-answer.js';
import { numberOf, objectsOf, textOf } from './json-fields.js';
import { plainName } from './plain-name.js';

interface Entry {
  readonly folders: readonly string[];
  readonly name: string;
  readonly mark: string;
}

const INDENT = ' ';
const FOLDER = '/';

/**
 * One line an entry: `name/` for a folder, `name size` for a file, `name@` for a link. Several levels are a tree by
 * indentation. The end of a line says what it is, so a name with a space or a number in it misleads nobody.
 */
export function showListing(value: unknown, args: ArgumentValues): ShownAnswer {
  const entries = objectsOf(value).map(entryOf);
  if (entries.length === 0) return { texts: [], notes: ['Nothing found.'] };
  // Pages that begin in the middle, and matches, do not come with the folders above them.
  const partial = args.cursor !== undefined || args.pattern !== undefined;
  const base = partial && args.recursive === true ? 0 : commonDepth(entries);
  return { texts: [treeLines(entries, base).join('\n')] };
}

function entryOf(fields: Readonly<Record<string, unknown>>): Entry {
  const path = textOf(fields, 'path');
  const name = textOf(fields, 'name');
  const parent = path.slice(0, Math.max(0, path.length - name.length)).replace(/\/$/, '');
  return { folders: parent === '' ? [] : parent.split('/'), name, mark: markOf(fields) };
}

function markOf(fields: Readonly<Record<string, unknown>>): string {
  switch (fields.type) {
    case 'directory':
      return FOLDER;
    case 'symlink':
      return '@';
    case 'file':
      return ` ${numberOf(fields, 'size') ?? '?'}`;
    default:
      return ' (special)';
  }
}

/** How many folders all entries have in common. */
function commonDepth(entries: readonly Entry[]): number {
  const [first = { folders: [] }, ...rest] = entries;
  return rest.reduce(
    (depth, { folders }) => commonStart(first.folders, folders, depth),
    first.folders.length,
  );
}

function commonStart(a: readonly string[], b: readonly string[], limit: number): number {
  let depth = 0;
  while (depth < limit && a[depth] === b[depth]) depth += 1;
  return depth;
}

function treeLines(entries: readonly Entry[], base: number): readonly string[] {
  const lines: string[] = [];
  let open: readonly string[] = entries[0]?.folders.slice(0, base) ?? [];
  for (const { folders, name, mark } of entries) {
    // A folder that was an entry itself is on a line already; others are named on the way down.
    const known = commonStart(folders, open, Math.min(folders.length, open.length));
    for (let depth = Math.max(known, base); depth < folders.length; depth += 1)
      lines.push(`${INDENT.repeat(depth - base)}${plainName(folders[depth] ?? '')}/`);
    lines.push(INDENT.repeat(Math.max(0, folders.length - base)) + plainName(name) + mark);
    open = mark === FOLDER ? [...folders, name] : folders;
  }
  return lines;
}
