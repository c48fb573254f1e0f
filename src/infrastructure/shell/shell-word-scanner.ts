import type { CommandRefusal } from '../../domain/command/command-plan.js';
import { type Failure, Result } from '../../domain/result.js';
import { quotedDocument } from './quoted-document.js';
import { refuseSyntax, refuseUnreadable, type ShellSyntax } from './shell-syntax-hints.js';
import type { QuotedDocument, WordToken } from './shell-token.js';

const PLAIN = /[A-Za-z0-9_/+@%^-]+/y;
const BRACE_PAIR = /\{[A-Za-z0-9_-]*\}/y;
const WORD_END = new Set([' ', '\t', '\n', ';', '|', '&', '<', '>', ')']);
/** What may follow a dollar sign inside double quotes without starting an expansion. */
const DOLLAR_STAYS = new Set(['"', "'", ' ', '|', ')', '/', '.', ',', ':', ';']);
const INVISIBLE = /[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u;
const PATTERN_SPECIAL = /[*?[\]\\]/g;

type Refused = Failure<CommandRefusal> | undefined;

/** Reads one word from the raw text, without asking the parser, and refuses whatever a shell might expand. */
export class ShellWordScanner {
  private value = '';
  private pattern = '';
  private bare = true;
  private glob = false;
  private brace = false;
  private separator = false;
  private bracket: number | undefined;
  private position = 0;

  private spelled = '';
  private documents: QuotedDocument[] = [];

  constructor(
    private readonly text: string,
    private readonly home: string,
  ) {}

  scan(start: number): Result<WordToken, CommandRefusal> {
    this.value = '';
    this.pattern = '';
    this.bare = true;
    this.glob = false;
    this.brace = false;
    this.separator = false;
    this.bracket = undefined;
    this.spelled = '';
    this.documents = [];
    this.position = start;
    while (this.position < this.text.length && !WORD_END.has(this.text.charAt(this.position))) {
      const refused = this.step(start);
      if (refused !== undefined) return refused;
    }
    return this.finish(start);
  }

  private finish(start: number): Result<WordToken, CommandRefusal> {
    const next = this.text.charAt(this.position);
    if (this.brace && (next === '<' || next === '>')) return refuseSyntax('namedDescriptor', start);
    // bash finds the closing brace after later text too: {a}b,c} is two words.
    if (this.brace && this.separator) return refuseSyntax('braces', start);
    // A lone bracket is literal, but beside another special character matchers disagree about it.
    if (this.bracket !== undefined && this.glob) return refuseSyntax('bracket', this.bracket);
    return Result.ok({
      kind: 'word',
      pos: start,
      end: this.position,
      value: this.value,
      bare: this.bare,
      ...(this.glob && { pattern: this.pattern }),
      ...(this.spelled !== '' && { spelled: this.spelled + this.value.slice(this.home.length) }),
      ...(this.documents.length > 0 && { documents: this.documents }),
    });
  }

  private step(start: number): Refused {
    PLAIN.lastIndex = this.position;
    const run = PLAIN.exec(this.text)?.[0];
    if (run !== undefined) return this.literal(run);
    const character = this.text.charAt(this.position);
    switch (character) {
      case "'":
        return this.singleQuoted();
      case '"':
        return this.doubleQuoted();
      case '\\':
        return this.escaped();
      case '$':
      case '`':
        return this.dollar(character);
      case '{':
        return this.openBrace(start);
      case '*':
      case '?':
        this.glob = true;
        return this.special(character);
      case '[':
        this.bracket ??= this.position;
        return this.special(character);
      case ']':
        return this.closeBracket();
      case '(':
        return this.refuse('extglob');
      case '~':
        return this.tilde(start);
      default:
        return this.ordinary();
    }
  }

  private ordinary(): Refused {
    const character = String.fromCodePoint(this.text.codePointAt(this.position) ?? 0);
    if (INVISIBLE.test(character)) return this.refuse('blank');
    if (character === ',' || this.text.startsWith('..', this.position)) this.separator = true;
    return this.literal(character);
  }

  private singleQuoted(): Refused {
    const close = this.text.indexOf("'", this.position + 1);
    if (close < 0) return refuseUnreadable('A single quote is not closed', this.position);
    return this.quoted(this.text.slice(this.position + 1, close), close + 1);
  }

  private doubleQuoted(): Refused {
    let content = '';
    let index = this.position + 1;
    for (;;) {
      const character = this.text.charAt(index);
      const next = this.text.charAt(index + 1);
      if (character === '') return refuseUnreadable('A double quote is not closed', this.position);
      if (character === '"') return this.quoted(content, index + 1);
      if (character === '`') return refuseSyntax('substitution', index);
      const document = character === '$' && next === '(' ? quotedDocument(this.text, index) : undefined;
      if (document !== undefined) {
        this.documents.push(document);
        content += document.body.replace(/\n+$/, '');
        index = document.end;
        continue;
      }
      if (character === '$' && !DOLLAR_STAYS.has(next)) return refuseSyntax(dollarSyntax(next), index);
      if (character === '\\' && next === '\n') {
        index += 2;
        continue;
      }
      if (character === '\\' && (next === '"' || next === '$' || next === '`' || next === '\\')) {
        content += next;
        index += 2;
        continue;
      }
      content += character;
      index += 1;
    }
  }

  private escaped(): Refused {
    const next = this.text.codePointAt(this.position + 1);
    if (next === undefined) return this.refuse('trailing');
    const character = String.fromCodePoint(next);
    if (character === '\n') return this.refuse('continuation');
    return this.quoted(character, this.position + 1 + character.length);
  }

  /** A dollar sign before a blank or the end is itself; anything else begins an expansion. */
  private dollar(character: string): Refused {
    const next = this.text.charAt(this.position + 1);
    if (character === '`') return this.refuse('substitution');
    if (next !== '' && next !== ' ' && next !== '\t' && next !== '\n') return this.refuse(dollarSyntax(next));
    return this.literal(character);
  }

  private openBrace(start: number): Refused {
    BRACE_PAIR.lastIndex = this.position;
    const pair = BRACE_PAIR.exec(this.text)?.[0];
    if (pair !== undefined) {
      this.brace = true;
      return this.literal(pair);
    }
    const next = this.text.charAt(this.position + 1);
    if (this.position === start && (next === '' || next === ' ' || next === '\t' || next === '\n')) {
      return this.literal('{');
    }
    return this.refuse('braces');
  }

  private closeBracket(): Refused {
    if (this.bracket !== undefined) {
      const inside = this.text.slice(this.bracket + 1, this.position).replace(/^[!^]/, '');
      if (/['"\\/]/.test(inside)) return refuseSyntax('bracket', this.bracket);
      if (inside !== '') {
        this.glob = true;
        this.bracket = undefined;
      }
    }
    return this.special(']');
  }

  private tilde(start: number): Refused {
    const before = this.text.charAt(this.position - 1);
    const first = this.position === start;
    const next = this.text.charAt(this.position + 1);
    if (first && (next === '/' || next === '' || WORD_END.has(next))) return this.atHome();
    return first || before === '=' || before === ':' ? this.refuse('tilde') : this.literal('~');
  }

  /** `~` is the home folder of commands, which the parser leaves as it is written. */
  private atHome(): undefined {
    this.spelled = '~';
    this.bare = false;
    this.value = this.home;
    this.pattern = this.home.replace(PATTERN_SPECIAL, '\\$&');
    this.position += 1;
  }

  private literal(characters: string): undefined {
    this.value += characters;
    this.pattern += characters;
    this.position += characters.length;
  }

  private special(character: string): undefined {
    this.literal(character);
  }

  private quoted(content: string, end: number): Refused {
    this.bare = false;
    this.value += content;
    this.pattern += content.replace(PATTERN_SPECIAL, '\\$&');
    this.position = end;
    return undefined;
  }

  private refuse(syntax: ShellSyntax): Failure<CommandRefusal> {
    return refuseSyntax(syntax, this.position);
  }
}

function dollarSyntax(next: string): ShellSyntax {
  if (next === '(') return 'substitution';
  if (next === '[') return 'arithmetic';
  if (next === '?') return 'status';
  return next === "'" || next === '"' ? 'ansiQuote' : 'variable';
}
