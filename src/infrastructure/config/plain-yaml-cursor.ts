import type { TreePosition } from './yaml-tree.js';

const NEWLINE = '\n';
/** Tabs, carriage returns, other controls, blanks that only some programs take for blanks, marks of byte order. */
const UNUSUAL =
  /[^\n -~\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\ufffd]/;
/** A text without quotes begins with one of these; everything else may mean something. */
const PLAIN_START = /[\w./~$^(+=\u00a1-\uffff]/;
const PLAIN_KEY = /[A-Za-z_$][\w./$*-]*/y;
const SIMPLE_ESCAPES = /^(?:[^"\\]|\\["\\/bfnrt])*$/;
const NUMBER = /^(?:0|[1-9]\d{0,9})(?:\.\d{1,6})?$/;
const MAX_KEY = 200;
/** Whatever the core schema of YAML 1.2 may take for something else than a text. */
const NO_TEXT =
  /^(?:~|null|true|false|[-+]?\.(?:inf|nan)|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

export type PlainValue = string | number | boolean | null;

export function isUnusual(text: string): boolean {
  return UNUSUAL.test(text);
}

/** A place in a text of lines. What it does not understand it answers with undefined, and does not go on. */
export class PlainYamlCursor {
  pos = 0;
  /** Blanks before the content of the line it is on. */
  indent = 0;
  private line = 1;
  private lineStart = 0;

  constructor(readonly text: string) {}

  get char(): string {
    return this.text.charAt(this.pos);
  }

  get column(): number {
    return this.pos - this.lineStart;
  }

  position(): TreePosition {
    return { line: this.line, column: this.column + 1 };
  }

  /** The content is a member of a list: a dash and a blank. */
  get atDash(): boolean {
    return this.char === '-' && this.isBlank(this.pos + 1);
  }

  /** Blanks and a comment; true when nothing else is on the line. */
  endLine(): boolean {
    this.skipBlanks();
    if (this.char === '#' && this.isBlank(this.pos - 1)) this.toLineEnd();
    return this.pos >= this.text.length || this.char === NEWLINE;
  }

  /** From the end of a line to the next content; false at the end of the text. */
  nextContent(): boolean {
    while (this.pos < this.text.length) {
      if (this.char === NEWLINE) this.newLine();
      this.skipBlanks();
      this.indent = this.column;
      if (this.char === '#') this.toLineEnd();
      else if (this.pos < this.text.length && this.char !== NEWLINE) return true;
    }
    return false;
  }

  skipBlanks(): void {
    while (this.text.charCodeAt(this.pos) === 32) this.pos += 1;
  }

  isBlank(at: number): boolean {
    const char = this.text.charAt(at);
    return char === ' ' || char === NEWLINE || char === '';
  }

  /** A key and its colon; afterwards the cursor is behind the colon. */
  key(): string | undefined {
    const key = this.char === '"' || this.char === "'" ? this.quoted() : this.plainKey();
    if (key === undefined || key.length > MAX_KEY) return undefined;
    if (this.char !== ':' || !this.isBlank(this.pos + 1)) return undefined;
    this.pos += 1;
    return key;
  }

  /** Is there a key where a value may stand as well? Moves nothing. */
  isKeyAhead(): boolean {
    const { pos } = this;
    const found = this.key() !== undefined;
    this.pos = pos;
    return found;
  }

  /** A text in quotes that ends on its line. */
  quoted(): string | undefined {
    const quote = this.char;
    let end = this.pos + 1;
    for (; end < this.text.length; end += 1) {
      const char = this.text.charAt(end);
      if (char === NEWLINE) return undefined;
      if (char === '\\' && quote === '"') end += 1;
      else if (char === quote) {
        if (quote === '"' || this.text.charAt(end + 1) !== "'") break;
        end += 1;
      }
    }
    if (end >= this.text.length) return undefined;
    const inside = this.text.slice(this.pos + 1, end);
    this.pos = end + 1;
    if (quote === "'") return inside.replaceAll("''", "'");
    if (!inside.includes('\\')) return inside;
    return SIMPLE_ESCAPES.test(inside) ? String(JSON.parse(`"${inside}"`)) : undefined;
  }

  /** A value without quotes, up to one of the ends, a comment or the end of the line. */
  plain(ends: string): { readonly value: PlainValue } | undefined {
    if (!PLAIN_START.test(this.char)) return undefined;
    const start = this.pos;
    let end = start;
    for (; end < this.text.length; end += 1) {
      const char = this.text.charAt(end);
      if (char === NEWLINE || ends.includes(char)) break;
      if (char === '#' && this.text.charAt(end - 1) === ' ') break;
      // A key inside a value, or a word that ends with a colon: not for us.
      if (char === ':' && (this.isBlank(end + 1) || ends.includes(this.text.charAt(end + 1))))
        return undefined;
    }
    this.pos = end;
    while (this.text.charCodeAt(end - 1) === 32) end -= 1;
    return plainValue(this.text.slice(start, end));
  }

  private plainKey(): string | undefined {
    PLAIN_KEY.lastIndex = this.pos;
    const key = PLAIN_KEY.exec(this.text)?.[0];
    if (key === undefined || NO_TEXT.test(key)) return undefined;
    this.pos += key.length;
    return key;
  }

  private newLine(): void {
    this.pos += 1;
    this.line += 1;
    this.lineStart = this.pos;
  }

  private toLineEnd(): void {
    const end = this.text.indexOf(NEWLINE, this.pos);
    this.pos = end === -1 ? this.text.length : end;
  }
}

function plainValue(text: string): { readonly value: PlainValue } | undefined {
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (NUMBER.test(text)) return { value: Number(text) };
  return NO_TEXT.test(text) ? undefined : { value: text };
}
