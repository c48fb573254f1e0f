import { join } from 'node:path';
import { readRegularFile } from './git-files.js';

/** Lines of a todo list that run a program when the rebase goes on. */
const EXEC = /^[ \t]*(?:x|exec)(?=[ \t\r]|$)/;
/** git runs `git-merge-NAME`; a name with a slash would be a program of the workspace. */
const STRATEGY = /^[\w-]*$/;
const STRATEGY_OPTION = /^[ \t]*strategy[ \t]*=[ \t]*(.*)$/m;

export const TODO_LISTS = ['rebase-merge/git-rebase-todo', 'sequencer/todo'];

export function execLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => EXEC.test(line));
}

/** The list without the lines that run something, but for those in `kept`. undefined: nothing is left of it. */
export function withoutExec(text: string, kept: readonly string[]): string | undefined {
  const lines = text.split('\n').filter((line) => !EXEC.test(line) || kept.includes(line));
  return lines.every((line) => line.trim() === '' || line.startsWith('#')) ? undefined : lines.join('\n');
}

/** Files of an operation in progress that name the program which merges, and do it badly. */
export function strangeStrategies(folder: string): readonly string[] {
  const rebase = join(folder, 'rebase-merge/strategy');
  const options = join(folder, 'sequencer/opts');
  const found: string[] = [];
  if (!STRATEGY.test(readRegularFile(rebase)?.trim() ?? '')) found.push(rebase);
  const chosen = STRATEGY_OPTION.exec(readRegularFile(options) ?? '')?.[1] ?? '';
  if (!STRATEGY.test(chosen.trim().replaceAll('"', ''))) found.push(options);
  return found;
}
