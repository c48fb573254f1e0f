import type { FileProblem } from '../../domain/file-problem.js';
import type { TreePosition, YamlEntry, YamlTree } from './yaml-tree.js';

const MAX_DEPTH = 32;
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
const WORD = /true|false|null/y;

class NotJson extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** A file of strict JSON as a tree in which every part knows where it stands; undefined with a problem reported. */
export function readJsonTree(file: string, bytes: Uint8Array, problems: FileProblem[]): YamlTree | undefined {
  const text = decoded(bytes);
  if (text === undefined) {
    problems.push({ file, line: 1, column: 1, message: 'The file is not UTF-8.', hint: 'Save it as UTF-8.' });
    return undefined;
  }
  const reader = new JsonReader(text);
  try {
    return reader.whole();
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    problems.push({ file, ...reader.position(error.at), message: `Not valid JSON: ${error.message}` });
    return undefined;
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the caller says so with the name of the file.
    return undefined;
  }
}

class JsonReader {
  #at = 0;
  readonly #lines: readonly number[];

  constructor(private readonly text: string) {
    const lines = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
    this.#lines = lines;
  }

  whole(): YamlTree {
    const tree = this.#value(0);
    this.#space();
    if (this.#at < this.text.length) throw new NotJson(this.#at, `${this.#seen()} after the end.`);
    return tree;
  }

  position(at: number): TreePosition {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.#lines[low] ?? 0) + 1 };
  }

  #value(depth: number): YamlTree {
    this.#space();
    const at = this.position(this.#at);
    if (depth > MAX_DEPTH) throw new NotJson(this.#at, `it nests more than ${MAX_DEPTH} levels deep.`);
    switch (this.text[this.#at]) {
      case '{':
        return { kind: 'map', at, entries: this.#entries(depth) };
      case '[':
        return { kind: 'list', at, items: this.#items(depth) };
      case '"':
        return { kind: 'scalar', at, value: this.#string() };
      default:
        return { kind: 'scalar', at, value: this.#plain() };
    }
  }

  #entries(depth: number): readonly YamlEntry[] {
    const entries: YamlEntry[] = [];
    const seen = new Map<string, TreePosition>();
    this.#members('}', () => {
      const start = this.#at;
      const at = this.position(start);
      if (this.text[start] !== '"')
        throw new NotJson(start, `expected a key in double quotes, got ${this.#seen()}.`);
      const key = this.#string();
      const first = seen.get(key);
      if (first !== undefined) {
        throw new NotJson(
          start,
          `the key ${JSON.stringify(key)} appears twice, first on line ${first.line}.`,
        );
      }
      seen.set(key, at);
      this.#space();
      this.#expect(':');
      entries.push({ key, at, value: this.#value(depth + 1) });
    });
    return entries;
  }

  #items(depth: number): readonly YamlTree[] {
    const items: YamlTree[] = [];
    this.#members(']', () => items.push(this.#value(depth + 1)));
    return items;
  }

  #members(end: string, read: () => void): void {
    this.#at += 1;
    this.#space();
    if (this.text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#space();
      read();
      this.#space();
      if (this.text[this.#at] === end) break;
      if (this.text[this.#at] !== ',')
        throw new NotJson(this.#at, `expected , or ${end}, got ${this.#seen()}.`);
      this.#at += 1;
    }
    this.#at += 1;
  }

  /** Read by hand: an expression would keep a way back for every character. */
  #string(): string {
    const start = this.#at;
    let end = start + 1;
    for (; end < this.text.length && this.text[end] !== '"'; end += 1) {
      if (this.text.charCodeAt(end) < 0x20) throw new NotJson(end, 'a string runs past the end of its line.');
      if (this.text[end] === '\\') {
        if (!ESCAPE.test(this.text.slice(end, end + 6))) throw new NotJson(end, 'there is no such escape.');
        end += 1;
      }
    }
    if (end >= this.text.length) throw new NotJson(start, 'a string is not closed.');
    this.#at = end + 1;
    return String(JSON.parse(this.text.slice(start, end + 1)));
  }

  #plain(): number | boolean | null {
    const written = this.#token(WORD) ?? this.#token(NUMBER);
    if (written === undefined) throw new NotJson(this.#at, `expected a value, got ${this.#seen()}.`);
    if (written === 'null') return null;
    return written === 'true' || written === 'false' ? written === 'true' : Number(written);
  }

  #token(kind: RegExp): string | undefined {
    kind.lastIndex = this.#at;
    const found = kind.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #space(): void {
    this.#token(SPACE);
  }

  #expect(mark: string): void {
    if (this.text[this.#at] !== mark) throw new NotJson(this.#at, `expected ${mark}, got ${this.#seen()}.`);
    this.#at += 1;
  }

  #seen(): string {
    const next = this.text[this.#at];
    return next === undefined ? 'the end of the file' : JSON.stringify(next);
  }
}
