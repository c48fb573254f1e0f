import { Result } from '../result.js';
import {
  anyGlob,
  anyOpen,
  type CompiledRule,
  type PathGlob,
  type PathRule,
  RuleIndex,
} from './rule-index.js';

export type { PathRule } from './rule-index.js';

/** Rules that cover a folder, exceptions aside, and globs that may cover what is in it. */
interface FolderGround {
  readonly path: string;
  readonly rules: readonly CompiledRule[];
  readonly globs: readonly PathGlob[];
}

const always = (): boolean => true;
const never = (): boolean => false;

/**
 * A list of path rules, indexed so that the usual rules cost one look-up for each folder of the path.
 * A rule covers what it matches and everything below it; a sibling with the same prefix is outside.
 */
export class PathRules {
  private parent: FolderGround = { path: '', rules: [], globs: [] };

  private constructor(
    readonly rules: readonly PathRule[],
    private readonly index: RuleIndex,
  ) {}

  static readonly NONE = new PathRules([], new RuleIndex());

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
    return Result.ok(new PathRules(rules, index));
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

  /**
   * `covers` for the entries of one folder, asked by their names. What is above them is looked at once, so that
   * a walk pays for a folder and not for every file in it.
   */
  coversIn(folder: string): (name: string) => boolean {
    if (this.rules.length === 0) return never;
    const { rules: above, globs } = this.ground(folder);
    const openly = above.some(({ holes }) => holes === undefined);
    if (openly) return always;
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const holed = above.map(({ holes = PathRules.NONE }) => holes.coversIn(folder));
    const literals = this.index.literalNames(folder);
    const { index } = this;
    const others = index.globsByName;
    return (name) => {
      for (const isHole of holed) if (!isHole(name)) return true;
      return (
        index.nameCovers(name, prefix) ||
        (literals !== undefined && anyOpen(literals.get(name), prefix + name)) ||
        (globs.length > 0 && anyGlob(globs, prefix + name)) ||
        (others.has(name) && anyGlob(others.get(name) ?? [], prefix + name))
      );
    };
  }

  /** What siblings have in common is looked up once: whatever covers the folder above covers them, too. */
  private ground(folder: string): FolderGround {
    const slash = folder.lastIndexOf('/');
    const path = folder.slice(0, Math.max(1, slash));
    if (this.parent.path !== path) {
      this.parent = { path, rules: this.findAllCompiled(path), globs: this.index.globsIn(path) };
    }
    const name = folder.slice(slash + 1);
    const named = this.index.globsByName.get(name);
    const globs = named === undefined ? this.parent.globs : [...this.parent.globs, ...named];
    const rules = new Set(this.parent.rules);
    const accept = (rule: CompiledRule) => rules.add(rule);
    this.index.literals.get(folder)?.forEach(accept);
    this.index.visitName(name, accept);
    for (const { rule, glob } of globs) if (glob.covers(folder)) accept(rule);
    return { path: folder, rules: [...rules], globs };
  }

  private findAllCompiled(path: string): readonly CompiledRule[] {
    const found = new Set<CompiledRule>();
    this.visit(path, (rule) => found.add(rule), false);
    return [...found];
  }

  private visit(path: string, report: (rule: CompiledRule) => void, minding = true): void {
    if (this.rules.length === 0) return;
    const accept = (rule: CompiledRule): void => {
      if (!minding || rule.holes === undefined || !rule.holes.covers(path)) report(rule);
    };
    for (const rule of this.index.everything) accept(rule);
    const names: string[] = [];
    let start = 0;
    while (start < path.length) {
      const slash = path.indexOf('/', start + 1);
      const end = slash === -1 ? path.length : slash;
      const name = path.slice(start + 1, end);
      for (const rule of this.index.literals.get(end === path.length ? path : path.slice(0, end)) ?? [])
        accept(rule);
      this.index.visitName(name, accept);
      names.push(name);
      start = end;
    }
    for (const { rule, glob, required } of this.index.globs) {
      if ((required === undefined || names.includes(required)) && glob.covers(path)) accept(rule);
    }
  }
}
