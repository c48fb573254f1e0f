import { type CommandWord, wordText } from '../command-plan.js';
import { ADRIFT, enterDirectory } from '../working-directory.js';

const MAX_SHOWN = 80;

/** Resolves a directory named inside another one. */
export function within(outer: string, inner: string): string {
  if (inner === ADRIFT || inner.startsWith('/')) return inner;
  return outer === ADRIFT ? ADRIFT : enterDirectory(outer, inner);
}

/** True if the words of find exclude nothing. */
export function isEverything(words: readonly CommandWord[]): boolean {
  const rest = words.map(wordText).filter((word) => !/^-(print0?|depth|type|mindepth)$|^[fd1]$/.test(word));
  return rest.length === 0;
}

/** Shortens a text to what a message can hold. */
export function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

export function literal(text: string): CommandWord {
  return { kind: 'literal', text };
}
