import { executionFailed, limitExceeded, type ToolError } from '../../../domain/tool/tool-error.js';
import type { TreeProblem } from './folder-scan.js';
import { MAX_ENTRIES } from './watched-tree.js';

const WHY = 'Commands run only where every secret has been found and hidden.';

/** Why no command runs in a tree that could not be looked through, and what to do about it. */
export function treeFailure({ kind, folder }: TreeProblem, shown: (path: string) => string): ToolError {
  const where = `"${shown(folder)}"`;
  switch (kind) {
    case 'entries':
      return limitExceeded(
        `${WHY} The folders that commands see hold more than ${MAX_ENTRIES.toLocaleString('en')} entries; the limit was reached in ${where}. Remove what is not needed, or show commands a smaller folder in the policy.`,
      );
    case 'path':
      return limitExceeded(
        `${WHY} Paths below ${where} are longer than the 4,096 bytes that the system accepts. Move or remove that folder.`,
      );
    case 'unreadable':
      return executionFailed(`${WHY} The folder ${where} cannot be read. Repair or remove it.`);
    case 'name':
      return executionFailed(
        `${WHY} Something secret lies below a name in ${where} that is not valid UTF-8, where it cannot be hidden. Rename that entry.`,
      );
    case 'moving':
      return executionFailed(
        `${WHY} A secret from ${where} is being moved around all the time, so that it cannot be hidden. Stop the program that does it and try again.`,
      );
  }
}
