import type { WordToken } from './shell-token.js';

const MAX_WORDS = 256;
const MAX_LENGTH = 1024;
const PLAIN = /^[\w./:@%+=,{}*?~-]*$/;
const NUMBERS = /^(-?\d{1,6})\.\.(-?\d{1,6})$/;
const LETTERS = /^([a-z])\.\.([a-z])$|^([A-Z])\.\.([A-Z])$/;

const BRACED = /[\w./:@%+=,{}*?-]+/y;
const ENDS = new Set(['', ' ', '\t', '\n', ';', '|', '&', ')']);

/** A whole word with braces that make several of it, without quotes or anything else special in it. */
export function bracedWord(text: string, start: number): WordToken | undefined {
  BRACED.lastIndex = start;
  const raw = BRACED.exec(text)?.[0];
  if (raw === undefined || raw.length > MAX_LENGTH) return undefined;
  if (!/\{[^}]*(,|\.\.)/.test(raw) || !ENDS.has(text.charAt(start + raw.length))) return undefined;
  const words = expandBraces(raw)?.filter((word) => word !== '');
  if (words === undefined || words.length < 2 || words.some((word) => /[{}]/.test(word))) return undefined;
  const alternatives = words.map((value) => (/[*?]/.test(value) ? { value, pattern: value } : { value }));
  return { kind: 'word', pos: start, end: start + raw.length, value: raw, bare: true, alternatives };
}

/** The words that braces make of one, as bash does; undefined where it holds more than plain characters. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return undefined;
  const words = expand(text, 0);
  return words === undefined || words.length > MAX_WORDS ? undefined : words;
}

function expand(text: string, depth: number): readonly string[] | undefined {
  if (depth > 8) return undefined;
  const open = text.indexOf('{');
  if (open < 0) return text.includes('}') ? undefined : [text];
  const close = closing(text, open);
  if (close === undefined) return undefined;
  const inner = alternatives(text.slice(open + 1, close), depth);
  const rest = expand(text.slice(close + 1), depth);
  if (inner === undefined || rest === undefined) return undefined;
  const head = text.slice(0, open);
  if (inner.length * rest.length > MAX_WORDS) return undefined;
  return inner.flatMap((middle) => rest.map((tail) => head + middle + tail));
}

function closing(text: string, open: number): number | undefined {
  let level = 0;
  for (let index = open; index < text.length; index += 1) {
    if (text[index] === '{') level += 1;
    else if (text[index] === '}') level -= 1;
    if (level === 0) return index;
  }
  return undefined;
}

function alternatives(inner: string, depth: number): readonly string[] | undefined {
  const parts = split(inner);
  if (parts.length === 1) return sequence(inner) ?? (/^[\w-]*$/.test(inner) ? [`{${inner}}`] : undefined);
  const words = parts.map((part) => expand(part, depth + 1));
  const known = words.filter((word) => word !== undefined);
  return known.length === words.length ? known.flat() : undefined;
}

function split(text: string): readonly string[] {
  const parts: string[] = [];
  let level = 0;
  let start = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '{') level += 1;
    else if (character === '}') level -= 1;
    else if (character === ',' && level === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function sequence(text: string): readonly string[] | undefined {
  const numbers = NUMBERS.exec(text);
  // A leading zero makes all of them as wide.
  if (numbers !== null && !/^-?0\d|\.\.-?0\d/.test(text))
    return range(Number(numbers[1]), Number(numbers[2]), String);
  const letters = LETTERS.exec(text);
  if (letters === null) return undefined;
  const [from = '', to = ''] = letters.slice(1).filter((letter) => letter !== undefined);
  return range(from.charCodeAt(0), to.charCodeAt(0), (code) => String.fromCharCode(code));
}

function range(from: number, to: number, show: (value: number) => string): readonly string[] | undefined {
  const count = Math.abs(to - from) + 1;
  if (count > MAX_WORDS) return undefined;
  const step = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, index) => show(from + index * step));
}
