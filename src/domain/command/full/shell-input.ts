import { type CommandWord, wordText } from '../command-plan.js';

/** Where a shell reads its commands from. */
export type ShellInput =
  | { readonly kind: 'text'; readonly text: string }
  /** The argument of -c, if it is computed at run time. */
  | { readonly kind: 'unseen'; readonly written: string }
  | { readonly kind: 'input' }
  | { readonly kind: 'file' };

const LONG_VALUED = new Set(['--rcfile', '--init-file']);

/** Lenient, for denies and consents: unknown options do not change what is considered. */
export function shellInput(args: readonly CommandWord[]): ShellInput {
  let text = false;
  let stdin = false;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index];
    if (word === undefined) break;
    const option = wordText(word);
    if (/^[-+]./.test(option)) {
      const isLong = option.startsWith('--');
      text ||= !isLong && option.includes('c');
      stdin ||= !isLong && option.includes('s');
      if (LONG_VALUED.has(option) || (!isLong && /[oO]$/.test(option))) index += 1;
      continue;
    }
    if (text)
      return word.kind === 'literal' ? { kind: 'text', text: option } : { kind: 'unseen', written: option };
    if (option === '-' || option === '/dev/stdin' || stdin) return { kind: 'input' };
    return { kind: 'file' };
  }
  return { kind: 'input' };
}
