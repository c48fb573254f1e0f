import type { Assignment, Command, Word } from 'unbash';
import type { CommandWord } from '../../../domain/command/command-plan.js';
import { ADRIFT, enterDirectory } from '../../../domain/command/working-directory.js';
import { type KnownValues, knownWords } from './known-words.js';

const SETTERS = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);
const READERS = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'printf',
  'unset',
  'let',
  'eval',
  'source',
  '.',
]);

/** The folder and the variables of a shell, as far as its text says them. */
export class ShellState implements KnownValues {
  directory = '.';
  private previous = ADRIFT;
  private readonly variables = new Map<string, CommandWord>();

  constructor(readonly home: string) {}

  variable(name: string): CommandWord | undefined {
    return this.variables.get(name);
  }

  /** undefined: nobody knows it any more. */
  set(name: string, value: CommandWord | undefined): void {
    if (value === undefined) this.variables.delete(name);
    else this.variables.set(name, value);
  }

  /** What happens in a shell of its own leaves the folder of this one as it is. */
  apart(work: () => void): undefined {
    const { directory, previous } = this;
    work();
    this.directory = directory;
    this.previous = previous;
  }

  /** Builtins that change what the rest of the text means. */
  follow([program]: readonly CommandWord[], args: readonly CommandWord[], node: Command): undefined {
    const name = program?.kind === 'literal' ? program.text : '';
    if (name === 'cd' || name === 'pushd') return this.enter(args);
    if (name === 'popd') this.directory = ADRIFT;
    else if (READERS.has(name)) this.variables.clear();
    else if (SETTERS.has(name)) {
      for (const part of node.args) if (part.type === 'Assignment') this.assign(part);
    }
    return undefined;
  }

  assign({ name, value, append, index }: Assignment): void {
    const isPlain = value.type === 'Word' && !append && index === undefined;
    this.set(name, isPlain ? this.whole(value) : undefined);
  }

  /** Words are not split where they are assigned. */
  private whole(value: Word): CommandWord | undefined {
    const words = knownWords(value, this);
    const [only, ...others] = words;
    if (others.length === 0) return only?.kind === 'glob' && only.unseen ? undefined : only;
    const texts = words.flatMap((word) => (word.kind === 'literal' ? [word.text] : []));
    return texts.length === words.length ? { kind: 'literal', text: texts.join(' ') } : undefined;
  }

  private enter(args: readonly CommandWord[]): undefined {
    const operand = args.find((word) => word.kind !== 'literal' || !/^-./.test(word.text));
    const before = this.directory;
    this.directory = this.target(operand);
    this.previous = before;
  }

  private target(operand: CommandWord | undefined): string {
    if (operand === undefined) return this.home;
    if (operand.kind !== 'literal' || operand.text === '') return ADRIFT;
    if (operand.text === '-') return this.previous;
    if (this.directory === ADRIFT && !operand.text.startsWith('/')) return ADRIFT;
    return enterDirectory(this.directory, operand.text);
  }
}
