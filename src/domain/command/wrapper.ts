import type { Failure } from '../result.js';
import { type CommandRefusal, type ProgramCall, wordText } from './command-plan.js';
import { hazard } from './command-refusal.js';
import { type OptionLine, readOptions } from './programs/option-grammar.js';
import { isShell, shellScript } from './shell-invocation.js';
import { type WrapperGrammar, wrapperGrammar } from './wrapper-grammar.js';

/** What a call runs besides itself. `index` is its position among the call's arguments. */
export type Unwrapped =
  | { readonly kind: 'none' }
  /** An applet is a part of the wrapper itself (busybox), not a separate program. */
  | { readonly kind: 'program'; readonly call: ProgramCall; readonly index: number; readonly applet: boolean }
  | { readonly kind: 'script'; readonly text: string; readonly index: number }
  | { readonly kind: 'refused'; readonly failure: Failure<CommandRefusal> };

/** The last part of a program's path, by which rules know it. */
export function programName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

/** Opens one layer: the inner call may be a wrapper again. */
export function unwrap(call: ProgramCall): Unwrapped {
  const name = programName(call.program);
  if (isShell(name)) return shell(name, call);
  const grammar = wrapperGrammar(name);
  if (grammar === undefined) return { kind: 'none' };
  if (grammar.never !== undefined)
    return refused(`${name} ${grammar.never}`, `write the command without ${name}`);
  const line = readOptions(name, grammar, call.args);
  if (!line.success) return { kind: 'refused', failure: line };
  const inner = innerCall(name, grammar, call, line.value);
  if (inner.kind === 'none' && call.unseenArguments) {
    return refused(
      `The program that ${name} runs comes from the input of ${call.via ?? 'its wrapper'}`,
      `name the program after ${name}`,
    );
  }
  return inner;
}

function shell(name: string, call: ProgramCall): Unwrapped {
  const script = shellScript(name, call.args);
  if (!script.success) return { kind: 'refused', failure: script };
  if (script.value === undefined) return { kind: 'none' };
  if (call.unseenArguments) {
    return refused(
      `${name} -c started by a wrapper that adds arguments`,
      'name the program itself after xargs',
    );
  }
  return { kind: 'script', ...script.value };
}

function innerCall(name: string, grammar: WrapperGrammar, call: ProgramCall, line: OptionLine): Unwrapped {
  const skipped = grammar.assignments ? leadingAssignments(line) : 0;
  const position = skipped + (grammar.skips ?? 0);
  const before = line.operands.slice(0, position);
  if (before.some(({ word }) => word.kind === 'glob')) {
    return refused(
      `A pattern before the program that ${name} runs`,
      'put the pattern in quotes, or write it out',
    );
  }
  if (line.options.some((option) => grammar.alone?.includes(option.name))) return { kind: 'none' };
  const program = line.operands[position];
  if (program === undefined) return { kind: 'none' };
  if (program.word.kind === 'glob') return refused(`A pattern as the program of ${name}`, 'name the program');
  const script = call.args[program.index + 1];
  if (grammar.script && program.word.text === '-c') {
    if (script?.kind !== 'literal')
      return refused(`${name} -c without a script`, 'write the command after it');
    return { kind: 'script', text: script.text, index: program.index + 1 };
  }
  return inner(name, grammar, call, line, program.index);
}

function inner(
  name: string,
  grammar: WrapperGrammar,
  call: ProgramCall,
  line: OptionLine,
  index: number,
): Unwrapped {
  const word = call.args[index];
  const program = word === undefined ? '' : wordText(word);
  if (program.startsWith('-') || program === '')
    return refused(`${name} runs no program called "${program}"`, 'name one');
  const placeholders = [...(call.placeholders ?? []), ...replacedTexts(name, line)];
  const before = name === 'xargs' && !call.placeholders ? [program] : wordsUpTo(call, index);
  if (placeholders.some((text) => before.some((one) => one.includes(text)))) {
    return refused('The program that xargs runs comes from its input', 'name the program');
  }
  return {
    kind: 'program',
    index,
    applet: grammar.applets ?? false,
    call: {
      program,
      args: call.args.slice(index + 1),
      via: name,
      directory: call.directory,
      ...((grammar.addsArguments || call.unseenArguments) && { unseenArguments: true }),
      ...(placeholders.length > 0 && { placeholders }),
      ...((call.bareEnvironment || dropsVariables(grammar, line, index)) && { bareEnvironment: true }),
    },
  };
}

/** Every text that xargs may replace; if there are several, its version decides which one. */
function replacedTexts(name: string, { options }: OptionLine): readonly string[] {
  if (name !== 'xargs') return [];
  const replacing = options.filter((option) => ['-I', '-i', '--replace'].includes(option.name));
  return replacing.map((option) => (option.value === undefined || option.value === '' ? '{}' : option.value));
}

function wordsUpTo(call: ProgramCall, index: number): readonly string[] {
  return call.args.slice(0, index + 1).map(wordText);
}

function dropsVariables(
  { dropsVariables: drops }: WrapperGrammar,
  line: OptionLine,
  program: number,
): boolean {
  if (drops === undefined || drops === true) return drops ?? false;
  // env treats a lone dash as -i.
  const dash = line.operands.some(({ word, index }) => index < program && wordText(word) === '-');
  return dash || line.options.some((option) => drops.includes(option.name));
}

function leadingAssignments(line: OptionLine): number {
  const first = line.operands.findIndex(({ word }) => !/=|^-$/.test(wordText(word)));
  return first < 0 ? line.operands.length : first;
}

function refused(message: string, hint: string): Unwrapped {
  return { kind: 'refused', failure: hazard(message, hint) };
}
