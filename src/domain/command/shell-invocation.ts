import { Result } from '../result.js';
import { type CommandRefusal, type CommandWord, wordText } from './command-plan.js';
import { hazard } from './command-refusal.js';

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'ksh93', 'mksh', 'yash', 'rbash', 'hush']);
const LONG = new Set(['--login', '--norc', '--noprofile', '--posix', '--version', '--help']);

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** The script after `-c`; undefined if the shell is given a script file or standard input. */
export function shellScript(
  name: string,
  args: readonly CommandWord[],
): Result<{ readonly text: string; readonly index: number } | undefined, CommandRefusal> {
  let text = false;
  let changed: string | undefined;
  for (const [index, word] of args.entries()) {
    const option = wordText(word);
    if (LONG.has(option)) continue;
    if (/^[-+]./.test(option) && option !== '--') {
      if (!/^-[clpnxeuv]+$/.test(option)) return unknownOption(name, option);
      text ||= option.includes('c');
      if (!/^-[clp]+$/.test(option)) changed = option;
      // With -e or -n a command means something other than the plan says.
      if (text && changed !== undefined) return unknownOption(name, changed);
      continue;
    }
    if (!text || option === '--') return text ? unknownOption(name, option) : Result.ok(undefined);
    if (word.kind === 'glob') return hazard(`A pattern as the text of ${name} -c`, 'quote the text');
    if (index + 1 < args.length) {
      return hazard(
        `${name} -c with arguments after its text`,
        'write the arguments into the command itself',
      );
    }
    return Result.ok({ text: option, index });
  }
  return text ? hazard(`${name} -c without a script`, 'write the command itself') : Result.ok(undefined);
}

function unknownOption(name: string, option: string): Result<never, CommandRefusal> {
  return hazard(
    `${name} ${option} changes how the shell reads what it is given`,
    `write ${name} -c 'COMMAND', or the command itself`,
  );
}
