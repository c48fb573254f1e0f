import type { Word, WordPart } from 'unbash';
import type { CommandWord } from '../../../domain/command/command-plan.js';
import { expandBraces } from '../brace-words.js';

const SPECIAL = /[*?[\]\\]/g;
const MAX_TEXT = 4096;
const NAME = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/;
/** What asks where the shell is: its answer is the folder that is followed anyway. */
const HERE = /^(\$\(\s*(?:command )?pwd(?: -[LP])?\s*\)|`\s*pwd(?: -[LP])?\s*`)$/;
const QUOTED_CAT = /^\$\(\s*cat[ \t]+<<-?[ \t]*(?:'(\w+)'|"(\w+)")[ \t]*\n/;

/** A piece of a word: what it says, whether quotes keep it whole, and whether nobody knows it. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  readonly unseen?: true;
  /** Already a pattern, from a variable that stands for names. */
  readonly pattern?: true;
}

/** What variables and the home folder are known to be, as far as the text itself says. */
export interface KnownValues {
  readonly home: string;
  variable(name: string): CommandWord | undefined;
}

/** The words that one word becomes, and those that nobody knows before the text runs. */
export function knownWords(word: Word, known: KnownValues): readonly CommandWord[] {
  const { parts } = word;
  if (parts === undefined) return [plain(word, known)];
  if (parts.some(({ type }) => type === 'BraceExpansion')) return braced(word);
  const pieces = parts.flatMap((part) => piecesOf(part, known, false));
  const [first] = pieces;
  const [start] = parts;
  if (first !== undefined && start?.type === 'Literal' && /^~(\/|$)/.test(start.text))
    pieces[0] = { ...first, text: known.home + first.text.slice(1) };
  return joined(pieces);
}

/** The text of a word where it is one and known. */
export function knownText(word: Word, known: KnownValues): string | undefined {
  const [only, ...others] = knownWords(word, known);
  return only?.kind === 'literal' && others.length === 0 ? only.text : undefined;
}

/** Written out: quotes may be around it, but nothing that a shell works out. */
export function isLiteral({ parts }: Word): boolean {
  return (parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  );
}

function plain({ text, value }: Word, { home }: KnownValues): CommandWord {
  if (/^~(\/|$)/.test(text)) return { kind: 'literal', text: home + value.slice(1) };
  return { kind: 'literal', text: value };
}

function braced({ text }: Word): readonly CommandWord[] {
  const words = expandBraces(text);
  if (words === undefined) return [{ kind: 'glob', pattern: '*', unseen: true }];
  return words.map((one) =>
    /[*?[]/.test(one) ? { kind: 'glob', pattern: one } : { kind: 'literal', text: one },
  );
}

const UNSEEN: Piece = { text: '*', quoted: false, unseen: true };

function piecesOf(part: WordPart, known: KnownValues, quoted: boolean): Piece[] {
  switch (part.type) {
    case 'Literal':
      return [{ text: part.value, quoted: quoted || part.text !== part.value }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.length === 0
        ? [{ text: '', quoted: true }]
        : part.parts.flatMap((child) => piecesOf(child, known, true));
    case 'Glob':
      return part.kind === 'bracket'
        ? [{ text: part.text, quoted: false, pattern: true }]
        : [{ text: part.text, quoted: false, pattern: true }];
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return [variable(part.text, known, quoted)];
    case 'CommandExpansion':
      return [substitution(part.text, quoted)];
    default:
      return [UNSEEN];
  }
}

function variable(text: string, known: KnownValues, quoted: boolean): Piece {
  const name = NAME.exec(text)?.[1];
  if (name === undefined) return UNSEEN;
  if (name === 'PWD') return { text: '.', quoted };
  if (name === 'HOME') return { text: known.home, quoted };
  const value = known.variable(name);
  if (value === undefined) return UNSEEN;
  if (value.kind === 'literal') return { text: value.text, quoted };
  return value.unseen ? UNSEEN : { text: value.pattern, quoted: true, pattern: true };
}

function substitution(text: string, quoted: boolean): Piece {
  if (HERE.test(text)) return { text: '.', quoted };
  const opened = QUOTED_CAT.exec(text);
  if (opened === null) return UNSEEN;
  const body = text.slice(opened[0].length);
  const end = body.lastIndexOf(`\n${opened[1] ?? opened[2]}`);
  return end < 0 ? UNSEEN : { text: body.slice(0, end).replace(/\n+$/, ''), quoted: true };
}

function joined(pieces: readonly Piece[]): readonly CommandWord[] {
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const unseen = length > MAX_TEXT || pieces.some((piece) => piece.unseen);
  const isPattern =
    unseen || pieces.some((piece) => piece.pattern ?? (!piece.quoted && /[*?]/.test(piece.text)));
  if (unseen) {
    const pattern = pieces.map((piece) => (piece.unseen ? '*' : escaped(piece.text))).join('');
    return [{ kind: 'glob', pattern: pattern.slice(0, MAX_TEXT), unseen: true }];
  }
  if (isPattern) {
    const pattern = pieces.map((piece) =>
      piece.pattern || !piece.quoted ? piece.text : escaped(piece.text),
    );
    return [{ kind: 'glob', pattern: pattern.join('') }];
  }
  const text = pieces.map((piece) => piece.text).join('');
  // Only what a variable holds is split, and only where it stands without quotes.
  const splits = pieces.some((piece) => !piece.quoted && /\s/.test(piece.text));
  if (!splits) return [{ kind: 'literal', text }];
  return text.split(/\s+/).flatMap((one) => (one === '' ? [] : [{ kind: 'literal', text: one } as const]));
}

function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}
