import type { RedirectToken, ShellOperator, ShellToken, WordToken } from './shell-token.js';

/** Walks the tokens once, in order; whatever is asked for must be exactly the next one. */
export class TokenCursor {
  private index = 0;

  constructor(private readonly tokens: readonly ShellToken[]) {}

  atEnd(): boolean {
    return this.index === this.tokens.length;
  }

  /** Where the next token begins; undefined at the end. */
  position(): number | undefined {
    return this.tokens[this.index]?.pos;
  }

  takeWord(pos: number, end: number, value: string): WordToken | undefined {
    const token = this.tokens[this.index];
    if (token?.kind !== 'word' || token.pos !== pos || token.end !== end) return undefined;
    // Of a pattern the parser keeps the quoting in places; its spelling is ours alone.
    if (token.pattern === undefined && !token.documents && (token.spelled ?? token.value) !== value)
      return undefined;
    this.index += 1;
    return token;
  }

  takeRedirect(pos: number, operator: string): RedirectToken | undefined {
    const token = this.tokens[this.index];
    if (token?.kind !== 'redirect' || token.pos !== pos || token.operator !== operator) return undefined;
    this.index += 1;
    return token;
  }

  takeOperator(text: ShellOperator): boolean {
    const token = this.tokens[this.index];
    if (token?.kind !== 'operator' || token.text !== text) return false;
    this.index += 1;
    return true;
  }

  /** The last command of a group may end with a separator. */
  skipSeparator(): void {
    this.takeOperator(';');
  }
}
