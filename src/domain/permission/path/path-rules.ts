import { Result } from '../../result.js';
import type { ConsentTerms } from '../consent/consent.js';
import type { RulePosition } from '../policy/rule-position.js';
import { patternProblem } from './path-pattern.js';
import {
  anyGlob,
  anyOpen,
  type IndexedRule,
  type PathGlob,
  PathRuleIndex,
  type RuleExceptions,
} from './path-rule-index.js';

/**
 * One path of an allow or deny list: an absolute pattern, one that begins with `**`, or `*` for everything.
 */
export interface PathRule {
  readonly pattern: string;
  readonly except?: readonly string[];
  /** Further exclusions that are not patterns. */
  readonly spares?: RuleExceptions;
  readonly consent?: ConsentTerms;
  readonly at: RulePosition;
}

type CompiledRule = PathRule & IndexedRule;

/** Rules that cover a directory, apart from exceptions, and globs that may cover its content. */
interface FolderGround {
  readonly path: string;
  readonly rules: readonly CompiledRule[];
  readonly globs: readonly PathGlob<CompiledRule>[];
}

/**
 * A list of path rules, indexed so that most rules cost one look-up per directory of the path. A rule covers
 * what it matches and everything below it, not a sibling with the same prefix. The index is built for the
 * first query, because a starting server queries few lists of its policy.
 */
export class PathRules {
  private listed: readonly PathRule[] | undefined;
  private made: PathRuleIndex<CompiledRule> | undefined;
  private parent: FolderGround | undefined;
  /** The last query: the policy and then the guard ask about the same path. */
  private asked: { readonly path: string; readonly found: readonly CompiledRule[] } | undefined;

  private constructor(private readonly list: () => readonly PathRule[]) {}

  static readonly NONE = new PathRules(() => []);

  static compile(rules: readonly PathRule[]): Result<PathRules> {
    if (rules.length === 0) return Result.ok(PathRules.NONE);
    for (const { pattern, except = [] } of rules) {
      for (const text of [pattern, ...except]) {
        // The index looks for a leading slash in patterns that may begin anywhere.
        const problem = patternProblem(text.startsWith('**') ? `/${text}` : text);
        if (problem !== undefined) return Result.failure(problem, 'InvalidPattern');
      }
    }
    return Result.ok(new PathRules(() => rules));
  }

  /** The rules that satisfy a condition, selected on first use. */
  where(wanted: (rule: PathRule) => boolean): PathRules {
    return this.isEmpty ? PathRules.NONE : new PathRules(() => this.rules.filter(wanted));
  }

  get rules(): readonly PathRule[] {
    this.listed ??= this.list();
    return this.listed;
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** The first rule of the list that covers the path; undefined if none does. */
  find(path: string): PathRule | undefined {
    return this.findAll(path)[0];
  }

  /** All rules that cover the path, in order: the consent levels of all of them count. */
  findAll(path: string): readonly PathRule[] {
    if (this.asked?.path !== path) {
      const found: CompiledRule[] = [];
      this.visit(path, (rule) => {
        if (!found.includes(rule)) found.push(rule);
      });
      this.asked = { path, found: found.sort((first, second) => first.order - second.order) };
    }
    return this.asked.found;
  }

  covers(path: string): boolean {
    return this.find(path) !== undefined;
  }

  /**
   * `covers` for the entries of one directory, by name. Its parents are checked once, so that a walk pays per
   * directory and not per file.
   */
  coversIn(folder: string): (name: string) => boolean {
    if (this.isEmpty) return never;
    const { rules: above, globs } = this.ground(folder);
    const openly = above.some(({ exceptions }) => exceptions === undefined);
    if (openly) return always;
    const { index } = this;
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const excepted = above.map(({ exceptions = PathRules.NONE }) => exceptions.coversIn(folder));
    const literals = index.literalNames(folder);
    const others = index.globsByName;
    return (name) => {
      for (const isExcepted of excepted) if (!isExcepted(name)) return true;
      return (
        index.nameCovers(name, prefix) ||
        (literals !== undefined && anyOpen(literals.get(name), prefix + name)) ||
        (globs.length > 0 && anyGlob(globs, prefix + name)) ||
        (others.size > 0 && others.has(name) && anyGlob(others.get(name) ?? [], prefix + name))
      );
    };
  }

  private get index(): PathRuleIndex<CompiledRule> {
    if (this.made === undefined) {
      this.made = new PathRuleIndex();
      for (const [order, rule] of this.rules.entries()) {
        const { except, at, spares } = rule;
        const exceptions =
          spares ?? (except && new PathRules(() => except.map((pattern) => ({ pattern, at }))));
        this.made.add({ ...rule, order, exceptions });
      }
    }
    return this.made;
  }

  /** Looked up once for all siblings: whatever covers the parent directory covers them, too. */
  private ground(folder: string): FolderGround {
    const { index } = this;
    const slash = folder.lastIndexOf('/');
    const path = folder.slice(0, Math.max(1, slash));
    if (this.parent?.path !== path) {
      this.parent = { path, rules: this.findAllCompiled(path), globs: index.globsIn(path) };
    }
    const name = folder.slice(slash + 1);
    const named = index.globsByName.get(name);
    const globs = named === undefined ? this.parent.globs : [...this.parent.globs, ...named];
    const rules = new Set(this.parent.rules);
    const accept = (rule: CompiledRule) => rules.add(rule);
    index.literals.get(folder)?.forEach(accept);
    index.visitName(name, accept);
    for (const { rule, glob } of globs) if (glob.covers(folder)) accept(rule);
    return { path: folder, rules: [...rules], globs };
  }

  private findAllCompiled(path: string): readonly CompiledRule[] {
    const found = new Set<CompiledRule>();
    this.visit(path, (rule) => found.add(rule), false);
    return [...found];
  }

  private visit(path: string, report: (rule: CompiledRule) => void, minding = true): void {
    if (this.isEmpty) return;
    const { index } = this;
    const accept = (rule: CompiledRule): void => {
      if (!minding || rule.exceptions === undefined || !rule.exceptions.covers(path)) report(rule);
    };
    for (const rule of index.everything) accept(rule);
    const names: string[] = [];
    let start = 0;
    while (start < path.length) {
      const slash = path.indexOf('/', start + 1);
      const end = slash === -1 ? path.length : slash;
      const name = path.slice(start + 1, end);
      for (const rule of index.literals.get(end === path.length ? path : path.slice(0, end)) ?? [])
        accept(rule);
      index.visitName(name, accept);
      names.push(name);
      start = end;
    }
    for (const { rule, glob, required } of index.globs) {
      if ((required === undefined || names.includes(required)) && glob.covers(path)) accept(rule);
    }
  }
}

const always = (): boolean => true;
const never = (): boolean => false;
