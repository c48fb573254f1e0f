import { compileSegment, type GlobSegment } from './glob-segment.js';
import { compilePattern, type PathPattern } from './path-pattern.js';

/** What a rule excludes. */
export interface RuleExceptions {
  covers(path: string): boolean;
  coversIn(folder: string): (name: string) => boolean;
}

export interface IndexedRule {
  readonly pattern: string;
  readonly order: number;
  readonly exceptions: RuleExceptions | undefined;
}

interface NameGlob<R> {
  readonly rule: R;
  readonly glob: GlobSegment;
}

export interface PathGlob<R> {
  readonly rule: R;
  readonly glob: PathPattern;
  /** A name that every covered path must contain; undefined if there is none. */
  readonly required: string | undefined;
}

const EVERYTHING = new Set(['*', '/', '**', '/**']);
const WILDCARD = /[*?[\]{}\\]/;
const ANYWHERE = '**/';
const BEYOND_ASCII = 128;
// One UTF-16 unit that stands for itself: half a surrogate pair would not.
const ORDINARY = /^[\w.~#@+-]$/;

/** Groups the rules of a list by the form of their patterns, so that a path is compared with few of them. */
export class PathRuleIndex<R extends IndexedRule> {
  readonly everything: R[] = [];
  readonly literals = new Map<string, R[]>();
  readonly globs: PathGlob<R>[] = [];
  /** Globs that cover only paths containing a certain name. */
  readonly globsByName = new Map<string, PathGlob<R>[]>();
  private readonly globsAnywhere: PathGlob<R>[] = [];
  private readonly names = new Map<string, R[]>();
  private readonly byFirst = new Map<string, NameGlob<R>[]>();
  private readonly byLast = new Map<string, NameGlob<R>[]>();
  private readonly anyName: NameGlob<R>[] = [];
  /**
   * The first and last characters of names that some rule matches; all non-ASCII characters share one entry.
   */
  private readonly begins = new Uint8Array(BEYOND_ASCII + 1);
  private readonly ends = new Uint8Array(BEYOND_ASCII + 1);
  private literalsByFolder: Map<string, Map<string, R[]>> | undefined;

  add(rule: R): void {
    const { pattern } = rule;
    if (EVERYTHING.has(pattern)) this.everything.push(rule);
    else if (!WILDCARD.test(pattern)) push(this.literals, pattern, rule);
    else {
      const tail = pattern.startsWith(ANYWHERE) ? pattern.slice(ANYWHERE.length) : undefined;
      if (tail !== undefined && !/[/{}]/.test(tail) && tail !== '**') this.addName(rule, tail);
      else this.addGlob(rule, tail === undefined ? pattern : `/${pattern}`);
    }
  }

  /** Literal rules about the entries of a directory, by name. */
  literalNames(folder: string): ReadonlyMap<string, readonly R[]> | undefined {
    this.literalsByFolder ??= byFolder(this.literals);
    return this.literalsByFolder.get(folder);
  }

  /**
   * Returns true if a name rule covers the entry; without a callback, because walks call it for every file.
   */
  nameCovers(name: string, prefix: string): boolean {
    return (
      this.mayConcern(name) &&
      ((this.names.has(name) && anyOpen(this.names.get(name), prefix + name)) ||
        anyName(this.byFirst.get(name.charAt(0)), name, prefix) ||
        anyName(this.byLast.get(name.charAt(name.length - 1)), name, prefix) ||
        anyName(this.anyName, name, prefix))
    );
  }

  /** Rejects most names quickly, by their first and last characters. */
  private mayConcern(name: string): boolean {
    return (
      this.begins[Math.min(name.charCodeAt(0), BEYOND_ASCII)] === 1 ||
      this.ends[Math.min(name.charCodeAt(name.length - 1), BEYOND_ASCII)] === 1 ||
      this.anyName.length > 0
    );
  }

  visitName(name: string, accept: (rule: R) => void): void {
    for (const rule of this.names.get(name) ?? []) accept(rule);
    for (const { rule, glob } of this.byFirst.get(name.charAt(0)) ?? []) if (glob.matches(name)) accept(rule);
    for (const { rule, glob } of this.byLast.get(name.slice(-1)) ?? []) if (glob.matches(name)) accept(rule);
    for (const { rule, glob } of this.anyName) if (glob.matches(name)) accept(rule);
  }

  /** Most patterns begin or end with an ordinary character: only names with the same one are tried. */
  private addName(rule: R, name: string): void {
    const glob = compileSegment(name);
    const entry = { rule, glob };
    if (!WILDCARD.test(name)) {
      push(this.names, name, rule);
      this.begins[Math.min(name.charCodeAt(0), BEYOND_ASCII)] = 1;
    } else if (ORDINARY.test(name.charAt(0))) {
      push(this.byFirst, name.charAt(0), entry);
      this.begins[name.charCodeAt(0)] = 1;
    } else if (!name.includes('[') && ORDINARY.test(name.slice(-1))) {
      push(this.byLast, name.slice(-1), entry);
      this.ends[name.charCodeAt(name.length - 1)] = 1;
    } else {
      this.anyName.push(entry);
    }
  }

  private addGlob(rule: R, text: string): void {
    const glob = compilePattern(text);
    if (!glob.success) throw new Error(`A pattern was not checked before: ${glob.error}`);
    // A brace may contain slashes, so nothing is certain about the names around it.
    const plain = text.includes('{')
      ? []
      : text.split('/').filter((part) => part !== '' && !WILDCARD.test(part));
    const required = plain.at(-1);
    const entry = { rule, glob: glob.value, required };
    this.globs.push(entry);
    if (required === undefined) this.globsAnywhere.push(entry);
    else push(this.globsByName, required, entry);
  }

  /** The globs that may cover any name in a directory. */
  globsIn(folder: string): readonly PathGlob<R>[] {
    if (this.globsByName.size === 0) return this.globsAnywhere;
    return [...this.globsAnywhere, ...folder.split('/').flatMap((name) => this.globsByName.get(name) ?? [])];
  }
}

function isOpen({ exceptions }: IndexedRule, path: string): boolean {
  return exceptions === undefined || !exceptions.covers(path);
}

export function anyOpen(rules: readonly IndexedRule[] | undefined, path: string): boolean {
  if (rules === undefined) return false;
  for (const rule of rules) if (isOpen(rule, path)) return true;
  return false;
}

function anyName(globs: readonly NameGlob<IndexedRule>[] | undefined, name: string, prefix: string): boolean {
  if (globs === undefined) return false;
  for (const { rule, glob } of globs) if (glob.matches(name) && isOpen(rule, prefix + name)) return true;
  return false;
}

export function anyGlob(globs: readonly PathGlob<IndexedRule>[], path: string): boolean {
  for (const { rule, glob } of globs) if (glob.covers(path) && isOpen(rule, path)) return true;
  return false;
}

function byFolder<R>(literals: ReadonlyMap<string, R[]>): Map<string, Map<string, R[]>> {
  const folders = new Map<string, Map<string, R[]>>();
  for (const [path, rules] of literals) {
    const slash = path.lastIndexOf('/');
    const folder = slash === 0 ? '/' : path.slice(0, slash);
    const names = folders.get(folder) ?? new Map<string, R[]>();
    names.set(path.slice(slash + 1), rules);
    folders.set(folder, names);
  }
  return folders;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}
