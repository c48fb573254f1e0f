import type { Failure } from '../result.js';
import type { CommandNode, CommandRefusal } from './command-plan.js';
import { refuseCommand } from './command-refusal.js';

/**
 * Checks that the directory of every later command is known in advance. A `cd` that may not happen (after
 * `&&`) is fine if what follows happens only if it did; a `cd` followed by `||`, or inside braces, is not.
 * After a `cd` that fails, later commands do not run in the wrong directory: they are bound to their
 * directory, not to the shell's state.
 */
export function checkDirectoryChanges(
  list: Extract<CommandNode, { kind: 'list' }>,
): Failure<CommandRefusal> | undefined {
  const items = [{ operator: ';', node: list.first }, ...list.rest];
  for (const [index, { operator, node }] of items.entries()) {
    if (node.kind !== 'cd' && changesDirectory(node)) {
      return ambiguous(
        'cd inside { }, or after ! or time, changes the folder of what follows',
        'use ( ) around it',
      );
    }
    if (node.kind !== 'cd') continue;
    if (operator === '||' || items[index + 1]?.operator === '||') {
      return ambiguous('cd together with || leaves the folder unknown', 'write cd DIR && COMMAND');
    }
    const later = items.slice(index + 1);
    if (operator === '&&' && later.some((item) => item.operator !== '&&')) {
      return ambiguous(
        'After a cd that may not have run, the folder of the later commands is unknown',
        'put it in parentheses: (… && cd DIR && …); or join everything after it with &&',
      );
    }
  }
  return undefined;
}

function changesDirectory(node: CommandNode): boolean {
  if (node.kind === 'cd') return true;
  if (node.kind === 'list') return [node.first, ...node.rest.map((item) => item.node)].some(changesDirectory);
  // The parts of a pipeline run in subshells, unless there is only one part (! or time).
  if (node.kind === 'pipeline') return node.parts.length === 1 && node.parts.some(changesDirectory);
  return node.kind === 'group' && !node.subshell && changesDirectory(node.body);
}

function ambiguous(message: string, hint: string): Failure<CommandRefusal> {
  return refuseCommand('SHELL_SYNTAX', message, hint);
}
