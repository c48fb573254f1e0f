import { wordText } from '../../../command/command-plan.js';
import { baseName, type ProgramFacts } from '../../../command/program-facts.js';
import { runningSubcommands } from '../../../command/programs/runners.js';
import { isInside, normalisePath } from '../../path/normal-path.js';
import type { Addition } from './addition.js';

const PROGRAM = /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/;
/** A rule compares words whole; one with a wildcard can only be any word. */
const WILDCARD = /[*?[\]]/;
const ANY = '*';

/**
 * The narrowest rule that allows this call: all of its words. undefined if the rule would allow more than the
 * call, or cannot be written.
 */
export function commandAddition(
  tool: string,
  call: ProgramFacts,
  workspace: string,
  more: Pick<Addition, 'network' | 'interpreter'> = {},
): Addition | undefined {
  const program = programOf(call, workspace);
  if (!PROGRAM.test(program)) return undefined;
  const words = call.args.map((word) => {
    const text = wordText(word);
    return word.kind === 'literal' && text !== '' && !WILDCARD.test(text) ? text : ANY;
  });
  // Without words it would allow the program with any arguments.
  const isOpen = words.length === 0 && (call.interpreter || runningSubcommands(baseName(program)).length > 0);
  return isOpen ? undefined : { tool, command: [program, ...words], ...more };
}

/** The program's name, or its path if it is not a system program. */
function programOf({ program, resolvedPath, directory, location }: ProgramFacts, workspace: string): string {
  if (location === 'trusted' || (!program.includes('/') && location === 'unknown')) return baseName(program);
  const path = program.includes('/') ? normalisePath(program, directory) : (resolvedPath ?? program);
  return isInside(path, workspace) && path !== workspace ? `.${path.slice(workspace.length)}` : path;
}
