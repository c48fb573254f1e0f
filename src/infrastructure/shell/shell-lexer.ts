import type { CommandRefusal } from '../../domain/command/command-plan.js';
import { type Failure, Result } from '../../domain/result.js';
import { bracedWord } from './brace-words.js';
import { readHeredocs } from './shell-heredoc.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import type {
  OperatorToken,
  RedirectToken,
  ShellOperator,
  ShellRedirection,
  ShellToken,
  WordToken,
} from './shell-token.js';
import { ShellWordScanner } from './shell-word-scanner.js';

const MAX_TOKENS = 8192;
const MAX_REDIRECTS = 256;
const MAX_NESTING = 64;
const REDIRECTION = /<<<|<<-|<<|<&|<|&>>|&>|>>|>&|>\||>/y;
const DESCRIPTOR = /[0-9]+(?=[<>])/y;
/** Control characters, DEL and the C1 block: no honest command line holds one, quoted or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const LONE_SURROGATE = /\p{Cs}/u;

type Refused = Failure<CommandRefusal> | undefined;

/** The raw text as words, redirections and operators: our own reading, to hold against the parser's. */
export function lexShell(text: string, home: string): Result<readonly ShellToken[], CommandRefusal> {
  const control = CONTROL.exec(text);
  if (control !== null) return refuseSyntax('control', control.index);
  const surrogate = LONE_SURROGATE.exec(text);
  if (surrogate !== null) return refuseSyntax('surrogate', surrogate.index);
  return new ShellLexer(text, home).run();
}

class ShellLexer {
  private position = 0;
  private nesting = 0;
  private redirects = 0;
  /** Words that braces make, beside those that stand there. */
  private made = 0;
  private readonly tokens: ShellToken[] = [];
  /** Indices of here-documents whose bodies begin after the next line end. */
  private pending: number[] = [];
  private readonly scanner: ShellWordScanner;

  constructor(
    private readonly text: string,
    home: string,
  ) {
    this.scanner = new ShellWordScanner(text, home);
  }

  run(): Result<readonly ShellToken[], CommandRefusal> {
    while (this.position < this.text.length) {
      const refused = this.step();
      if (refused !== undefined) return refused;
      if (this.tokens.length + this.made > MAX_TOKENS)
        return refuseUnreadable('The command has too many words');
    }
    if (this.pending.length > 0) return refuseUnreadable('A here-document has no body', this.text.length);
    return Result.ok(withoutLastSeparator(this.tokens));
  }

  private step(): Refused {
    const character = this.text.charAt(this.position);
    switch (character) {
      case ' ':
      case '\t':
        this.position += 1;
        return undefined;
      case '\n':
        return this.lineEnd();
      case '#':
        return this.comment();
      case ';':
        return this.semicolon();
      case '(':
      case ')':
        return this.parenthesis(character);
      case '|':
        return this.operator(this.text.startsWith('||', this.position) ? '||' : this.pipe());
      case '&':
        if (this.text.startsWith('&&', this.position)) return this.operator('&&');
        return this.text.charAt(this.position + 1) === '>' ? this.redirect(undefined) : this.background();
      case '\\':
        return this.continued() ? undefined : this.wordOrDescriptor();
      case '<':
      case '>':
        return this.redirect(undefined);
      default:
        return this.wordOrDescriptor();
    }
  }

  private pipe(): '|' | '|&' {
    return this.text.startsWith('|&', this.position) ? '|&' : '|';
  }

  private background(): Refused {
    if (!this.endsCommand()) return refuseUnreadable('An & without a command before it', this.position);
    return this.operator('&');
  }

  /** A backslash at a line's end, with a blank beside it: then it joins no two tokens that are one to bash. */
  private continued(): boolean {
    if (this.text.charAt(this.position + 1) !== '\n') return false;
    const around = [this.text.charAt(this.position - 1), this.text.charAt(this.position + 2)];
    if (!around.some((one) => one === ' ' || one === '\t' || one === '\n' || one === '')) return false;
    this.position += 2;
    return true;
  }

  private wordOrDescriptor(): Refused {
    DESCRIPTOR.lastIndex = this.position;
    const descriptor = DESCRIPTOR.exec(this.text)?.[0];
    if (descriptor !== undefined) {
      if (descriptor.length > 1) return this.refuse('descriptor');
      return this.redirect(Number(descriptor));
    }
    const word = bracedWord(this.text, this.position) ?? this.scanner.scan(this.position);
    if ('kind' in word) this.take(word);
    else if (!word.success) return word;
    else this.take(word.value);
    return undefined;
  }

  private take(word: WordToken): void {
    this.tokens.push(word);
    this.made += word.alternatives?.length ?? 0;
    this.position = word.end;
  }

  private lineEnd(): Refused {
    this.position += 1;
    if (this.pending.length > 0) {
      const read = readHeredocs(this.text, this.position, this.tokens, this.pending);
      if (!read.success) return read;
      this.position = read.value;
      this.pending = [];
    }
    if (this.endsCommand()) this.push(';', this.position - 1);
    return undefined;
  }

  private semicolon(): Refused {
    const next = this.text.charAt(this.position + 1);
    if (next === ';' || next === '&') return this.refuse('caseEnd');
    if (!this.endsCommand()) return refuseUnreadable('A ; without a command before it', this.position);
    return this.operator(';');
  }

  /** True where a separator here would end a command, so that empty lines count for nothing. */
  private endsCommand(): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined) return false;
    if (last.kind === 'operator') return last.text === ')';
    return !(last.kind === 'word' && last.bare && last.value === '{');
  }

  private comment(): undefined {
    const end = this.text.indexOf('\n', this.position);
    this.position = end < 0 ? this.text.length : end;
  }

  private parenthesis(character: '(' | ')'): Refused {
    if (this.text.startsWith('((', this.position)) return this.refuse('arithmeticCommand');
    if (character === ')') {
      this.nesting -= 1;
      if (this.tokens.at(-1)?.kind === 'operator') this.dropSeparator();
      return this.operator(')');
    }
    this.nesting += 1;
    if (this.nesting > MAX_NESTING)
      return refuseUnreadable('The groups are nested too deeply', this.position);
    return this.operator('(');
  }

  private dropSeparator(): void {
    const last = this.tokens.at(-1);
    if (last?.kind === 'operator' && last.text === ';') this.tokens.pop();
  }

  private redirect(fd: number | undefined): Refused {
    const start = this.position;
    const from = fd === undefined ? start : start + 1;
    REDIRECTION.lastIndex = from;
    const operator = REDIRECTION.exec(this.text)?.[0];
    const after = this.text.charAt(from + (operator?.length ?? 0));
    if (!isRedirection(operator)) return refuseUnreadable('A redirection is not understood', start);
    if (after === '(') return refuseSyntax('process', from);
    if (operator === '<' && after === '>') return refuseSyntax('readWrite', from);
    this.redirects += 1;
    if (this.redirects > MAX_REDIRECTS)
      return refuseUnreadable('The command has too many redirections', start);
    let cursor = from + operator.length;
    while (this.text.charAt(cursor) === ' ' || this.text.charAt(cursor) === '\t') cursor += 1;
    if (/[<>]\(/.test(this.text.slice(cursor, cursor + 2))) return refuseSyntax('process', cursor);
    const target = this.scanner.scan(cursor);
    if (!target.success) return target;
    if (target.value.end === cursor) return refuseUnreadable('A redirection without a target', start);
    const token: RedirectToken = { kind: 'redirect', pos: start, operator, fd, target: target.value };
    this.position = target.value.end;
    if (operator === '<<' || operator === '<<-') this.pending.push(this.tokens.length);
    this.tokens.push(token);
    return undefined;
  }

  private operator(text: ShellOperator): undefined {
    this.push(text, this.position);
    this.position += text.length;
  }

  private push(text: ShellOperator, pos: number): void {
    const token: OperatorToken = { kind: 'operator', pos, text };
    this.tokens.push(token);
  }

  private refuse(syntax: Parameters<typeof refuseSyntax>[0]): Failure<CommandRefusal> {
    return refuseSyntax(syntax, this.position);
  }
}

function isRedirection(text: string | undefined): text is ShellRedirection {
  return text !== undefined && text !== '';
}

function withoutLastSeparator(tokens: readonly ShellToken[]): readonly ShellToken[] {
  const last = tokens.at(-1);
  return last?.kind === 'operator' && last.text === ';' ? tokens.slice(0, -1) : tokens;
}
