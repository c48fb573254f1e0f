import { type CommandWord, wordText } from '../command-plan.js';

/** The operands of a recursive rm; options may be anywhere before `--`. */
export function removedOperands(args: readonly CommandWord[]): readonly CommandWord[] {
  const end = args.findIndex((word) => wordText(word) === '--');
  const before = end < 0 ? args : args.slice(0, end);
  const isOption = (word: CommandWord): boolean => /^-./.test(wordText(word));
  if (!before.some((word) => /^(-[a-zA-Z]*[rR]|--r)/.test(wordText(word)))) return [];
  return [...before.filter((word) => !isOption(word)), ...(end < 0 ? [] : args.slice(end + 1))];
}
