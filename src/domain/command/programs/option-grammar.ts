import { type Failure, Result } from '../../result.js';
import { type CommandRefusal, type CommandWord, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';

/** The options that a program may be given. Any other option is refused. */
export interface OptionGrammar {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters with a value, attached or as the next word. */
  readonly values?: string;
  /** Letters with an optional value, attached only. */
  readonly optional?: string;
  /** Long names: `all`, with a value `width=`, with an optional value `color=?`. */
  readonly long?: string;
  /** True if `-5` is an option, as for head. */
  readonly numeric?: true;
  /** Options known to be harmful, with the reason for the refusal. */
  readonly refused?: Readonly<Record<string, string>>;
  /** True if options end at the first operand, because the rest is another program's command line. */
  readonly leading?: true;
}

export interface GivenOption {
  readonly name: string;
  readonly value?: string;
}

export interface GivenOperand {
  readonly word: CommandWord;
  readonly index: number;
}

export interface OptionLine {
  readonly options: readonly GivenOption[];
  readonly operands: readonly GivenOperand[];
}

type Refused = Failure<CommandRefusal> | undefined;

export function readOptions(
  program: string,
  grammar: OptionGrammar,
  args: readonly CommandWord[],
): Result<OptionLine, CommandRefusal> {
  return new OptionReader(program, grammar, args).read();
}

const NOTHING = new Map<string, '' | '=' | '=?'>();
const LONG_NAMES = new WeakMap<OptionGrammar, ReadonlyMap<string, '' | '=' | '=?'>>();

function longNames(grammar: OptionGrammar): ReadonlyMap<string, '' | '=' | '=?'> {
  if (grammar.long === undefined) return NOTHING;
  const known = LONG_NAMES.get(grammar);
  if (known !== undefined) return known;
  const names = new Map<string, '' | '=' | '=?'>();
  for (const entry of grammar.long.split(/\s+/)) {
    const kind = entry.endsWith('=?') ? '=?' : entry.endsWith('=') ? '=' : '';
    names.set(entry.slice(0, entry.length - kind.length), kind);
  }
  LONG_NAMES.set(grammar, names);
  return names;
}

class OptionReader {
  private index = 0;
  private readonly options: GivenOption[] = [];
  private readonly operands: GivenOperand[] = [];

  constructor(
    private readonly program: string,
    private readonly grammar: OptionGrammar,
    private readonly args: readonly CommandWord[],
  ) {}

  read(): Result<OptionLine, CommandRefusal> {
    let ended = false;
    for (; this.index < this.args.length; this.index += 1) {
      const word = this.args[this.index];
      if (word === undefined) break;
      const text = wordText(word);
      if (!ended && text === '--') {
        ended = true;
        continue;
      }
      if (ended || text === '-' || !text.startsWith('-')) {
        this.operands.push({ word, index: this.index });
        if (this.grammar.leading) ended = true;
        continue;
      }
      const refused = text.startsWith('--') ? this.long(text.slice(2)) : this.cluster(text);
      if (refused !== undefined) return refused;
    }
    return Result.ok({ options: this.options, operands: this.operands });
  }

  private long(text: string): Refused {
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.slice(0, equals);
    const kind = longNames(this.grammar).get(name);
    const why = this.grammar.refused?.[`--${name}`];
    if (why !== undefined) return this.refuse(`--${name}`, why);
    if (kind === undefined) return this.abbreviated(name);
    if (equals >= 0) {
      if (kind === '') return this.refuse(`--${name}`, 'takes no value');
      return this.add(`--${name}`, text.slice(equals + 1));
    }
    return kind === '=' ? this.valueFrom(`--${name}`) : this.add(`--${name}`);
  }

  /**
   * Programs accept any unambiguous prefix of a long name. Which name that is depends on their version, so a
   * prefix is never accepted; the refusal names the full form.
   */
  private abbreviated(name: string): Refused {
    const harmful = Object.keys(this.grammar.refused ?? {}).find((key) => key.startsWith(`--${name}`));
    if (harmful !== undefined && name !== '') {
      return this.refuse(`--${name}`, `is short for ${harmful}, which ${this.grammar.refused?.[harmful]}`);
    }
    const full = [...longNames(this.grammar).keys()].filter((key) => key.startsWith(name));
    if (full.length > 0) {
      return hazard(
        `${this.program} --${name} is not the whole name of an option`,
        `write it in full: ${full.map((key) => `--${key}`).join(' or ')}`,
      );
    }
    return this.refuse(`--${name}`);
  }

  private cluster(text: string): Refused {
    if (this.grammar.numeric && /^-[0-9]+$/.test(text)) return this.add(text);
    const { flags = '', values = '', optional = '', refused } = this.grammar;
    for (let at = 1; at < text.length; at += 1) {
      const letter = text.charAt(at);
      const name = `-${letter}`;
      const rest = text.slice(at + 1);
      const why = refused?.[name];
      if (why !== undefined) return this.refuse(name, why);
      if (values.includes(letter)) return rest === '' ? this.valueFrom(name) : this.add(name, rest);
      if (optional.includes(letter)) return rest === '' ? this.add(name) : this.add(name, rest);
      if (!flags.includes(letter)) return this.refuse(name);
      this.add(name);
    }
    return undefined;
  }

  private valueFrom(name: string): Refused {
    this.index += 1;
    const word = this.args[this.index];
    if (word === undefined)
      return hazard(`${this.program} ${name} needs a value`, `write a value after ${name}`);
    // A pattern may expand to several words, and only the first would be the value.
    if (word.kind === 'glob') {
      return hazard(
        `The value of ${this.program} ${name} is a pattern that a shell expands`,
        'put it in quotes',
      );
    }
    return this.add(name, word.text);
  }

  private add(name: string, value?: string): undefined {
    this.options.push({ name, ...(value !== undefined && { value }) });
  }

  private refuse(name: string, why?: string): Failure<CommandRefusal> {
    return hazard(
      `${this.program} ${name} ${why ?? 'is not on the list of options known to be harmless'}`,
      `leave ${name} out, or ask for a rule that allows every program in the sandbox (["*"])`,
    );
  }
}
