import { isUnusual, PlainYamlCursor } from './plain-yaml-cursor.js';
import { MAX_DEPTH, MAX_NODES, type YamlEntry, type YamlTree } from './yaml-tree.js';

const MARKERS = /^(?:---|\.\.\.|%)/m;
const CLOSERS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };
/** Where a text without quotes ends inside brackets. */
const FLOW_ENDS = ',[]{}';

/**
 * The tree of a file written in the plain part of YAML: maps, lists, brackets and texts on one line. It only ever
 * says yes, and then means what the whole language means. Anything else, a mistake included, is undefined: the
 * library reads it, which takes ten times as long and knows what to say about it.
 */
export function readPlainYaml(text: string): YamlTree | undefined {
  if (isUnusual(text) || MARKERS.test(text)) return undefined;
  const cursor = new PlainYamlCursor(text);
  if (!cursor.nextContent()) return undefined;
  const tree = new PlainYaml(cursor).block(cursor.indent, 0);
  return cursor.pos >= text.length ? tree : undefined;
}

class PlainYaml {
  private nodes = 0;

  constructor(private readonly cursor: PlainYamlCursor) {}

  /** A list or a map whose content begins here. Ends at the next content that is no part of it. */
  block(indent: number, depth: number): YamlTree | undefined {
    if (!this.enter(depth)) return undefined;
    return this.cursor.atDash ? this.list(indent, depth) : this.map(indent, depth);
  }

  private enter(depth: number): boolean {
    this.nodes += 1;
    return this.nodes <= MAX_NODES && depth <= MAX_DEPTH;
  }

  private map(indent: number, depth: number): YamlTree | undefined {
    const { cursor } = this;
    const at = cursor.position();
    const entries: YamlEntry[] = [];
    const seen = new Set<string>();
    for (;;) {
      const keyAt = cursor.position();
      const key = cursor.key();
      if (key === undefined || seen.has(key)) return undefined;
      seen.add(key);
      const value = cursor.endLine() ? this.below(indent, depth) : this.inline(indent, depth);
      if (value === undefined) return undefined;
      entries.push({ key, at: keyAt, value });
      if (this.isOver(indent)) return { kind: 'map', at, entries };
      if (cursor.indent > indent || cursor.atDash) return undefined;
    }
  }

  private list(indent: number, depth: number): YamlTree | undefined {
    const { cursor } = this;
    const at = cursor.position();
    const items: YamlTree[] = [];
    for (;;) {
      cursor.pos += 1;
      const item = cursor.endLine() ? this.below(indent, depth, false) : this.member(indent, depth);
      if (item === undefined) return undefined;
      items.push(item);
      // Beside a dash another key may follow: then the list stood right under its own.
      if (this.isOver(indent) || (cursor.indent === indent && !cursor.atDash)) {
        return { kind: 'list', at, items };
      }
      if (cursor.indent > indent) return undefined;
    }
  }

  /** A list or map on the lines below. A list may stand as far left as its key. */
  private below(indent: number, depth: number, besideKey = true): YamlTree | undefined {
    const { cursor } = this;
    if (!cursor.nextContent()) return undefined;
    const inside = cursor.indent > indent || (besideKey && cursor.indent === indent && cursor.atDash);
    return inside ? this.block(cursor.indent, depth + 1) : undefined;
  }

  /** What follows a dash on its line: a value, or the first key of a map that goes on below it. */
  private member(indent: number, depth: number): YamlTree | undefined {
    const { cursor } = this;
    if (!cursor.isKeyAhead()) return this.inline(indent, depth);
    return this.enter(depth + 1) ? this.map(cursor.column, depth + 1) : undefined;
  }

  private inline(indent: number, depth: number): YamlTree | undefined {
    const { cursor } = this;
    const value = this.value(indent, depth + 1, '');
    if (value === undefined || !cursor.endLine()) return undefined;
    cursor.nextContent();
    return value;
  }

  private isOver(indent: number): boolean {
    return this.cursor.pos >= this.cursor.text.length || this.cursor.indent < indent;
  }

  private value(indent: number, depth: number, ends: string): YamlTree | undefined {
    const { cursor } = this;
    if (!this.enter(depth)) return undefined;
    const { char } = cursor;
    if (char === '[') return this.flowList(indent, depth);
    if (char === '{') return this.flowMap(indent, depth);
    const at = cursor.position();
    if (char === '"' || char === "'") {
      const text = cursor.quoted();
      return text === undefined ? undefined : { kind: 'scalar', value: text, at };
    }
    const plain = cursor.plain(ends);
    return plain && { kind: 'scalar', value: plain.value, at };
  }

  private flowList(indent: number, depth: number): YamlTree | undefined {
    const at = this.cursor.position();
    const items: YamlTree[] = [];
    const read = (): boolean => {
      const item = this.value(indent, depth + 1, FLOW_ENDS);
      if (item !== undefined) items.push(item);
      return item !== undefined;
    };
    return this.flow(indent, read) ? { kind: 'list', at, items } : undefined;
  }

  private flowMap(indent: number, depth: number): YamlTree | undefined {
    const { cursor } = this;
    const at = cursor.position();
    const entries: YamlEntry[] = [];
    const seen = new Set<string>();
    const read = (): boolean => {
      const keyAt = cursor.position();
      const key = cursor.key();
      if (key === undefined || seen.has(key)) return false;
      seen.add(key);
      const value = this.skip(indent) ? this.value(indent, depth + 1, FLOW_ENDS) : undefined;
      if (value !== undefined) entries.push({ key, at: keyAt, value });
      return value !== undefined;
    };
    return this.flow(indent, read) ? { kind: 'map', at, entries } : undefined;
  }

  /** From one bracket to its partner, a comma after every member but the last. */
  private flow(indent: number, read: () => boolean): boolean {
    const { cursor } = this;
    const closer = CLOSERS[cursor.char];
    let expectsMember = true;
    cursor.pos += 1;
    for (;;) {
      if (!this.skip(indent)) return false;
      if (cursor.char === closer) break;
      if (cursor.char === ',') {
        if (expectsMember) return false;
        cursor.pos += 1;
      } else if (!expectsMember || !read()) return false;
      expectsMember = !expectsMember;
    }
    cursor.pos += 1;
    return true;
  }

  /** To the next sign inside brackets, which stays to the right of what the brackets belong to. */
  private skip(indent: number): boolean {
    const { cursor } = this;
    if (!cursor.endLine()) return true;
    return cursor.nextContent() && cursor.indent > indent;
  }
}
