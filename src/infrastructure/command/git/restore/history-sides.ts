/** What a commit has at a path. */
export interface HistorySide {
  readonly commit: string;
  /** NO_FILE: nothing. */
  readonly mode: string;
  readonly blob: string;
}

export const NO_FILE = '000000';

/** For `git log`: every commit that changes a path, with its parents, and both sides of the change. */
export const LOG: readonly string[] = [
  'log',
  '-m',
  '--full-history',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--format=%x00%H %P',
];

/**
 * The sides of changes, each with the commit that has it. What a change began from is told only where there is one
 * parent: of several, git does not say which.
 */
export function sidesIn(log: string): readonly HistorySide[] {
  return log.split('\0').flatMap((entry) => {
    const [head = '', ...lines] = entry.split('\n');
    const [commit = '', ...parents] = head.split(' ').filter((id) => id !== '');
    const [parent] = parents;
    return lines.flatMap((line) => {
      const [, before = '', after = '', old = '', blob = ''] =
        /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(line) ?? [];
      if (after === '') return [];
      const sides = [{ commit, mode: after, blob }];
      if (parent !== undefined && parents.length === 1)
        sides.push({ commit: parent, mode: before, blob: old });
      return sides;
    });
  });
}

/** Of `git ls-tree -z` for one path. */
export function listedSide(text: string): HistorySide {
  const [, mode = 'no file of git', blob = ''] = /^(\d+) blob ([0-9a-f]+)\t/.exec(text) ?? [];
  return { commit: '', mode: text === '' ? NO_FILE : mode, blob };
}
