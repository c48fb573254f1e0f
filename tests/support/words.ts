import type { CommandWord, ProgramCall } from '../../src/domain/command/command-plan.js';

/** `glob:*.ts` is a pattern, anything else a literal. */
export function words(...texts: readonly string[]): readonly CommandWord[] {
  return texts.map((text) =>
    text.startsWith('glob:') ? { kind: 'glob', pattern: text.slice(5) } : { kind: 'literal', text },
  );
}

/** A call as one would type it; words are divided by blanks. */
export function call(line: string, more: Partial<ProgramCall> = {}): ProgramCall {
  const [program = '', ...args] = line.split(' ');
  return { program, args: words(...args), directory: '.', ...more };
}
