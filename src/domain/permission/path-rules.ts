import { Result } from '../result.js';
import type { ConsentTerms } from './consent.js';
import { compileSegment, type GlobSegment } from './glob-segment.js';
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

interface NameGlob {
  readonly rule: CompiledRule;
  readonly glob: GlobSegment;
}

interface PathGlob {
  readonly rule: CompiledRule;
  readonly glob: PathPattern;
  /** A name that every path it covers must contain; undefined where there is none. */
  readonly required: string | undefined;
}

const EVERYTHING = new Set(['*', '/', '**', '/**']);
const WILDCARD = /[*?[\]{}\\]/;
const ANYWHERE = '**/';
// One UTF-16 unit that stands for itself: half a surrogate pair would not.
const ORDINARY = /^[\w.~#@+-]$/;

class RuleIndex {
  readonly everything: CompiledRule[] = [];
  readonly literals = new Map<string, CompiledRule[]>();
  readonly globs: PathGlob[] = [];
  private readonly names = new Map<string, CompiledRule[]>();
  private readonly byFirst = new Map<string, NameGlob[]>();
  private readonly byLast = new Map<string, NameGlob[]>();
  private readonly anyName: NameGlob[] = [];
  private literalsByFolder: Map<string, Map<string, CompiledRule[]>> | undefined;

  add(rule: CompiledRule): Result<true> {
    const { pattern } = rule;
    if (EVERYTHING.has(pattern)) this.everything.push(rule);
    else if (!WILDCARD.test(pattern)) push(this.literals, pattern, rule);
    else {
      const tail = pattern.startsWith(ANYWHERE) ? pattern.slice(ANYWHERE.length) : undefined;
      if (tail !== undefined && !/[/{}]/.test(tail) && tail !== '**') this.addName(rule, tail);
      else return this.addGlob(rule, tail === undefined ? pattern : `/${pattern}`);
    }
    return Result.ok(true);
  }

  /** Literal rules about the entries of a folder, by their names. */
  literalNames(folder: string): ReadonlyMap<string, readonly CompiledRule[]> | undefined {
    this.literalsByFolder ??= byFolder(this.literals);
    return this.literalsByFolder.get(folder);
  }

  /** Whether a rule about names covers the entry; without a call back, because walks ask it of every file. */
  nameCovers(name: string, prefix: string): boolean {
    return (
      (this.names.has(name) && anyOpen(this.names.get(name), prefix + name)) ||
      anyName(this.byFirst.get(name.charAt(0)), name, prefix) ||
      anyName(this.byLast.get(name.charAt(name.length - 1)), name, prefix) ||
      anyName(this.anyName, name, prefix)
    );
  }

  visitName(name: string, accept: (rule: CompiledRule) => void): void {
    for (const rule of this.names.get(name) ?? []) accept(rule);
    for (const { rule, glob } of this.byFirst.get(name.charAt(0)) ?? []) if (glob.matches(name)) accept(rule);
    for (const { rule, glob } of this.byLast.get(name.slice(-1)) ?? []) if (glob.matches(name)) accept(rule);
    for (const { rule, glob } of this.anyName) if (glob.matches(name)) accept(rule);
  }

  /** Most patterns begin or end with an ordinary character: then only names that do the same are tried. */
  private addName(rule: CompiledRule, name: string): void {
    const glob = compileSegment(name);
    const entry = { rule, glob };
    if (!WILDCARD.test(name)) push(this.names, name, rule);
    else if (ORDINARY.test(name.charAt(0))) push(this.byFirst, name.charAt(0), entry);
    else if (!name.includes('[') && ORDINARY.test(name.slice(-1))) push(this.byLast, name.slice(-1), entry);
    else this.anyName.push(entry);
  }

  private addGlob(rule: CompiledRule, text: string): Result<true> {
    const glob = compilePattern(text);
    if (!glob.success) return glob;
    // A brace may hold slashes, so nothing is certain about the names around it.
    const plain = text.includes('{')
      ? []
      : text.split('/').filter((part) => part !== '' && !WILDCARD.test(part));
    this.globs.push({ rule, glob: glob.value, required: plain.at(-1) });
    return Result.ok(true);
  }
}

/**
 * A list of path rules, indexed so that the usual rules cost one look-up for each folder of the path.
 * A rule covers what it matches and everything below it; a sibling with the same prefix is outside.
 */
export class PathRules {
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
    const above = this.findAllCompiled(folder);
    const openly = above.some(({ holes }) => holes === undefined);
    if (openly) return always;
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const holed = above.map(({ holes = PathRules.NONE }) => holes.coversIn(folder));
    const names = folder.split('/');
    const literals = this.index.literalNames(folder);
    const globs = this.index.globs.filter(
      ({ required }) => required === undefined || names.includes(required),
    );
    const others = new Map<string, PathGlob[]>();
    for (const glob of this.index.globs) {
      if (glob.required !== undefined && !names.includes(glob.required)) push(others, glob.required, glob);
    }
    const { index } = this;
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

function isOpen({ holes }: CompiledRule, path: string): boolean {
  return holes === undefined || !holes.covers(path);
}

function anyOpen(rules: readonly CompiledRule[] | undefined, path: string): boolean {
  if (rules === undefined) return false;
  for (const rule of rules) if (isOpen(rule, path)) return true;
  return false;
}

function anyName(globs: readonly NameGlob[] | undefined, name: string, prefix: string): boolean {
  if (globs === undefined) return false;
  for (const { rule, glob } of globs) if (glob.matches(name) && isOpen(rule, prefix + name)) return true;
  return false;
}

function anyGlob(globs: readonly PathGlob[], path: string): boolean {
  for (const { rule, glob } of globs) if (glob.covers(path) && isOpen(rule, path)) return true;
  return false;
}

function byFolder(literals: ReadonlyMap<string, CompiledRule[]>): Map<string, Map<string, CompiledRule[]>> {
  const folders = new Map<string, Map<string, CompiledRule[]>>();
  for (const [path, rules] of literals) {
    const slash = path.lastIndexOf('/');
    const folder = slash === 0 ? '/' : path.slice(0, slash);
    const names = folders.get(folder) ?? new Map<string, CompiledRule[]>();
    names.set(path.slice(slash + 1), rules);
    folders.set(folder, names);
  }
  return folders;
}

const always = (): boolean => true;
const never = (): boolean => false;

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}
