import { Result } from '../result.js';
import type { ConsentTerms } from './consent.js';
import { compilePattern, type PathPattern } from './path-pattern.js';
import type { RulePosition } from './rule-position.js';

/** One path of an allow or a deny list: an absolute pattern, one that begins with `**`, or `*` for everything. */
export interface PathRule {
  readonly pattern: string;
  readonly except?: readonly string[];
  readonly consent?: ConsentTerms;
  readonly at: RulePosition;
}

interface CompiledRule extends PathRule {
  readonly order: number;
  readonly holes: PathRules | undefined;
}

const EVERYTHING = new Set(['*', '/', '**', '/**']);
const WILDCARD = /[*?[\]{}\\]/;
const ANYWHERE = '**/';

/**
 * A list of path rules, indexed so that the usual rules cost one look-up for each folder of the path.
 * A rule covers what it matches and everything below it; a sibling with the same prefix is outside.
 */
export class PathRules {
  private constructor(
    readonly rules: readonly PathRule[],
    private readonly everything: readonly CompiledRule[],
    private readonly literals: ReadonlyMap<string, readonly CompiledRule[]>,
    private readonly names: ReadonlyMap<string, readonly CompiledRule[]>,
    private readonly nameGlobs: readonly { rule: CompiledRule; glob: PathPattern }[],
    private readonly globs: readonly { rule: CompiledRule; glob: PathPattern }[],
  ) {}

  static readonly NONE = new PathRules([], [], new Map(), new Map(), [], []);

  static compile(rules: readonly PathRule[]): Result<PathRules> {
    if (rules.length === 0) return Result.ok(PathRules.NONE);
    const index = new RuleIndex();
    for (const [order, rule] of rules.entries()) {
      const holes = PathRules.compile((rule.except ?? []).map((pattern) => ({ pattern, at: rule.at })));
      if (!holes.success) return holes;
      const compiled = { ...rule, order, holes: rule.except === undefined ? undefined : holes.value };
      const added = index.add(compiled);
      if (!added.success) return added;
    }
    return Result.ok(
      new PathRules(rules, index.everything, index.literals, index.names, index.nameGlobs, index.globs),
    );
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** The first rule of the list that covers the path; `undefined` when none does. */
  find(path: string): PathRule | undefined {
    let found: CompiledRule | undefined;
    this.visit(path, (rule) => {
      if (found === undefined || rule.order < found.order) found = rule;
    });
    return found;
  }

  /** Every rule that covers the path: consent levels of all of them count. */
  findAll(path: string): readonly PathRule[] {
    const found = new Set<PathRule>();
    this.visit(path, (rule) => found.add(rule));
    return [...found];
  }

  covers(path: string): boolean {
    return this.find(path) !== undefined;
  }

  private visit(path: string, report: (rule: CompiledRule) => void): void {
    if (this.rules.length === 0) return;
    const accept = (rule: CompiledRule): void => {
      if (rule.holes === undefined || !rule.holes.covers(path)) report(rule);
    };
    for (const rule of this.everything) accept(rule);
    let start = 0;
    while (start < path.length) {
      const slash = path.indexOf('/', start + 1);
      const end = slash === -1 ? path.length : slash;
      const prefix = end === path.length ? path : path.slice(0, end);
      this.visitPrefix(prefix, path.slice(start + 1, end), accept);
      start = end;
    }
  }

  private visitPrefix(prefix: string, name: string, accept: (rule: CompiledRule) => void): void {
    for (const rule of this.literals.get(prefix) ?? []) accept(rule);
    for (const rule of this.names.get(name) ?? []) accept(rule);
    for (const { rule, glob } of this.nameGlobs) if (glob.matches(name)) accept(rule);
    for (const { rule, glob } of this.globs) if (glob.matches(prefix)) accept(rule);
  }
}

class RuleIndex {
  readonly everything: CompiledRule[] = [];
  readonly literals = new Map<string, CompiledRule[]>();
  readonly names = new Map<string, CompiledRule[]>();
  readonly nameGlobs: { rule: CompiledRule; glob: PathPattern }[] = [];
  readonly globs: { rule: CompiledRule; glob: PathPattern }[] = [];

  add(rule: CompiledRule): Result<true> {
    const { pattern } = rule;
    if (EVERYTHING.has(pattern)) this.everything.push(rule);
    else if (!WILDCARD.test(pattern)) push(this.literals, pattern, rule);
    else {
      const tail = pattern.startsWith(ANYWHERE) ? pattern.slice(ANYWHERE.length) : undefined;
      const name = tail !== undefined && !tail.includes('/') && tail !== '**' ? tail : undefined;
      if (name !== undefined && !WILDCARD.test(name)) push(this.names, name, rule);
      else {
        // `**/x` means anywhere on the disk, so it may also begin at the root.
        const text = name ?? (tail === undefined ? pattern : `/${pattern}`);
        const glob = compilePattern(text);
        if (!glob.success) return glob;
        (name === undefined ? this.globs : this.nameGlobs).push({ rule, glob: glob.value });
      }
    }
    return Result.ok(true);
  }
}

function push(map: Map<string, CompiledRule[]>, key: string, rule: CompiledRule): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
}
