import { relative } from 'node:path';
import { isWithin } from '../../program/toolchains.js';
import type { AirlockPlace } from '../carrier/carrier-messages.js';
import { SEEN_REAL } from '../carrier/seen-real.js';
import { HeldTree } from '../carrier/sides/held-tree.js';

const MAX_ALTERNATES = 64 * 1024;

/** A clone of the repository that a command made borrows its objects from where they lie for commands alone. */
export function settleClone({ workspace, real }: AirlockPlace, entry: string): void {
  if (!isWithin(entry, workspace) || isWithin(entry, real)) return;
  const tree = new HeldTree(workspace);
  try {
    const path = `${relative(workspace, entry)}/objects/info/alternates`;
    const text = tree.read(path, MAX_ALTERNATES)?.toString('utf8');
    if (text?.includes(`${SEEN_REAL}/`))
      tree.write(path, text.replaceAll(`${SEEN_REAL}/objects`, `${real}/objects`));
  } finally {
    tree.close();
  }
}
