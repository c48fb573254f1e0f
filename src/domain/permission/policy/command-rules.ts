import { type CommandWord, wordText } from '../../command/command-plan.js';
import { baseName, type ProgramFacts } from '../../command/program-facts.js';
import { isFlag } from '../../command/programs/flags.js';
import { mayGive, mayName } from '../../command/programs/subcommand-words.js';
import type { ConsentTerms } from '../consent/consent.js';
import { normalisePath } from '../path/normal-path.js';
import type { Limits, Network } from './obligations.js';
import type { RulePosition } from './rule-position.js';

/** One entry of an allow or deny list: a program, and the arguments it must begin with. */
export interface CommandRule {
  /** A set of alternatives for each leading word; `*` stands for any word. The first is the program. */
  readonly tokens: readonly (readonly string[])[];
  readonly except?: readonly (readonly (readonly string[])[])[];
  /** Matches only calls with one of these flags, at any position. */
  readonly any?: readonly string[];
  readonly consent?: ConsentTerms;
  readonly network?: Network;
  readonly sandbox?: string;
  readonly limits?: Limits;
  /** Interpreters run any code, so a rule must state that it means one. */
  readonly interpreter?: boolean;
  readonly at: RulePosition;
}

type Naming = 'as-written' | 'any-name';

const ANY = '*';

/** A rule that allows every program on purpose. */
export function allowsAnyProgram(rule: CommandRule): boolean {
  return rule.tokens.length === 1 && rule.any === undefined && (rule.tokens[0]?.includes(ANY) ?? false);
}

/** The rules of one list, indexed by the program they name. */
export class CommandRules {
  private readonly byName = new Map<string, CommandRule[]>();
  private readonly anyProgram: CommandRule[] = [];
  /** Some rules are about subcommands or flags. */
  private readonly isFine: boolean;

  constructor(
    readonly rules: readonly CommandRule[],
    private readonly workspace: string,
  ) {
    this.isFine = rules.some(isAboutSome);
    for (const rule of rules) {
      for (const name of rule.tokens[0] ?? []) {
        if (name === ANY) this.anyProgram.push(rule);
        else this.index(baseName(name), rule);
      }
    }
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** For allows: rules that match the call under the name as written. */
  matching(call: ProgramFacts): readonly CommandRule[] {
    return this.select(call, [baseName(call.program)], 'as-written');
  }

  /** For consent and limits: rules that may apply to the call, wherever its options stand. */
  concerning(call: ProgramFacts): readonly CommandRule[] {
    return this.isFine ? this.matchingAnyName(call).filter(isAboutSome) : NONE;
  }

  /**
   * For denies: also matches the name of the resolved binary and the path in the rule. Neither a link nor a
   * copy elsewhere hides a denied program, and no option before a subcommand does.
   */
  matchingAnyName(call: ProgramFacts): readonly CommandRule[] {
    if (this.isEmpty) return NONE;
    const name = baseName(call.program);
    const real = call.resolvedPath === undefined ? name : baseName(call.resolvedPath);
    return this.select(call, real === name ? [name] : [name, real], 'any-name');
  }

  private select(call: ProgramFacts, names: readonly string[], by: Naming): readonly CommandRule[] {
    if (this.isEmpty) return NONE;
    const found = new Set<CommandRule>();
    for (const rule of this.anyProgram) if (this.accepts(rule, call, undefined, by)) found.add(rule);
    for (const name of names) {
      for (const rule of this.byName.get(name) ?? []) if (this.accepts(rule, call, name, by)) found.add(rule);
    }
    return [...found];
  }

  private accepts(rule: CommandRule, call: ProgramFacts, name: string | undefined, by: Naming): boolean {
    if (!this.programMatches(rule.tokens[0] ?? [], call, name, by)) return false;
    if (!(by === 'any-name' ? mayBeAbout(rule, call, name) : isAbout(rule, call))) return false;
    return !(rule.except ?? []).some(
      (tokens) =>
        this.programMatches(tokens[0] ?? [], call, name, 'as-written') &&
        wordsMatch(tokens.slice(1), call.args),
    );
  }

  private programMatches(
    alternatives: readonly string[],
    call: ProgramFacts,
    name: string | undefined,
    by: Naming,
  ): boolean {
    return alternatives.some((alternative) => {
      if (alternative === ANY) return true;
      const bare = by === 'any-name' ? baseName(alternative) : alternative;
      if (!bare.includes('/')) return bare === (name ?? baseName(call.program));
      const wanted = normalisePath(alternative, this.workspace);
      if (call.resolvedPath === wanted) return true;
      return call.program.includes('/') && normalisePath(call.program, call.directory) === wanted;
    });
  }

  private index(name: string, rule: CommandRule): void {
    const rules = this.byName.get(name);
    if (rules === undefined) this.byName.set(name, [rule]);
    else rules.push(rule);
  }
}

const NONE: readonly CommandRule[] = [];

/** True if the rule is only about calls with certain words or flags. */
function isAboutSome(rule: CommandRule): boolean {
  return !allowsAnyProgram(rule) && (rule.tokens.length > 1 || rule.any !== undefined);
}

function isAbout({ tokens, any }: CommandRule, { args }: ProgramFacts): boolean {
  if (tokens.length > 1 && !wordsMatch(tokens.slice(1), args)) return false;
  return any === undefined || args.some((word) => any.some((flag) => isFlag(wordText(word), flag)));
}

function mayBeAbout({ tokens, any }: CommandRule, call: ProgramFacts, name: string | undefined): boolean {
  if (tokens.length === 1 && any === undefined) return true;
  const seen = { ...call, program: name ?? baseName(call.program) };
  if (any !== undefined && !mayGive(any, seen)) return false;
  return mayName(tokens.slice(1), seen);
}

/** True if the rule names the program by path, so that its location was the author's choice. */
export function namesPath(rule: CommandRule): boolean {
  return rule.tokens[0]?.some((name) => name.includes('/')) ?? false;
}

/** A glob may expand to any word, so it never matches a token. */
function wordsMatch(tokens: readonly (readonly string[])[], args: readonly CommandWord[]): boolean {
  return tokens.every((alternatives, index) => {
    const word = args[index];
    if (word === undefined) return false;
    if (alternatives.includes(ANY)) return true;
    return word.kind === 'literal' && alternatives.includes(word.text);
  });
}
