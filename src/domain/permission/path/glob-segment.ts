import { endOfClass } from './brace-expansion.js';

interface CharClass {
  readonly negated: boolean;
  /** Pairs of code points, both inclusive. */
  readonly ranges: readonly (readonly [number, number])[];
}

type Token = { readonly literal: number } | { readonly one: CharClass } | 'one' | 'star';

export interface GlobSegment {
  /** Set if the segment has no wildcard. */
  readonly literal: string | undefined;
  matches(name: string): boolean;
}

/** Compiles one path segment of a glob. Matching never backtracks beyond the last star: O(name × segment). */
export function compileSegment(source: string): GlobSegment {
  const tokens = tokenise(source);
  const text = literalText(tokens);
  if (text !== undefined) return { literal: text, matches: (name) => name === text };
  const [first, ...rest] = tokens;
  const suffix = first === 'star' ? literalText(rest) : undefined;
  if (suffix !== undefined) return { literal: undefined, matches: (name) => name.endsWith(suffix) };
  const last = tokens.at(-1);
  const prefix = last === 'star' ? literalText(tokens.slice(0, -1)) : undefined;
  if (prefix !== undefined) return { literal: undefined, matches: (name) => name.startsWith(prefix) };
  return { literal: undefined, matches: (name) => matchTokens(tokens, name) };
}

function literalText(tokens: readonly Token[]): string | undefined {
  let text = '';
  for (const token of tokens) {
    if (typeof token === 'string' || !('literal' in token)) return undefined;
    text += String.fromCodePoint(token.literal);
  }
  return text;
}

function tokenise(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < source.length; ) {
    const char = source[index];
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
      index += 1;
    } else if (char === '?') {
      tokens.push('one');
      index += 1;
    } else if (char === '[' && endOfClass(source, index) > index) {
      const end = endOfClass(source, index);
      tokens.push({ one: parseClass(source.slice(index + 1, end)) });
      index = end + 1;
    } else {
      if (char === '\\' && index + 1 < source.length) index += 1;
      const code = source.codePointAt(index) ?? 0;
      tokens.push({ literal: code });
      index += widthOf(code);
    }
  }
  return tokens;
}

function parseClass(body: string): CharClass {
  const negated = body[0] === '!' || body[0] === '^';
  const codes: { code: number; escaped: boolean }[] = [];
  for (let index = negated ? 1 : 0; index < body.length; ) {
    const escaped = body[index] === '\\' && index + 1 < body.length;
    if (escaped) index += 1;
    const code = body.codePointAt(index) ?? 0;
    codes.push({ code, escaped });
    index += widthOf(code);
  }
  const ranges: [number, number][] = [];
  for (let index = 0; index < codes.length; index += 1) {
    const from = codes[index]?.code ?? 0;
    const dash = codes[index + 1];
    const to = codes[index + 2];
    if (dash?.code === DASH && !dash.escaped && to !== undefined) {
      ranges.push([from, to.code]);
      index += 2;
    } else ranges.push([from, from]);
  }
  return { negated, ranges };
}

const DASH = 0x2d;

function matchTokens(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    const code = name.codePointAt(at) ?? 0;
    if (current === 'star') {
      starToken = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && accepts(current, code)) {
      token += 1;
      at += widthOf(code);
    } else if (starToken >= 0) {
      token = starToken + 1;
      starAt += widthOf(name.codePointAt(starAt) ?? 0);
      at = starAt;
    } else return false;
  }
  while (tokens[token] === 'star') token += 1;
  return token === tokens.length;
}

function accepts(token: Exclude<Token, 'star'>, code: number): boolean {
  if (token === 'one') return true;
  if ('literal' in token) return token.literal === code;
  const { negated, ranges } = token.one;
  return ranges.some(([from, to]) => code >= from && code <= to) !== negated;
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}
