export type ShellOperator = '|' | '|&' | '||' | '&&' | ';' | '(' | ')';

export type ShellRedirection = '<' | '>' | '>>' | '>|' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<-' | '<<<';

export interface WordToken {
  readonly kind: 'word';
  readonly pos: number;
  readonly end: number;
  /** The text after quotes are gone. */
  readonly value: string;
  /** Present where a shell would look for matching names; quoted characters are escaped in it. */
  readonly pattern?: string;
  /** No quote and no backslash anywhere: only then can the word be grammar. */
  readonly bare: boolean;
}

export interface RedirectToken {
  readonly kind: 'redirect';
  readonly pos: number;
  readonly operator: ShellRedirection;
  readonly fd: number | undefined;
  readonly target: WordToken;
  /** The body of a here-document, once its lines are read. */
  readonly body?: string;
}

export interface OperatorToken {
  readonly kind: 'operator';
  readonly pos: number;
  readonly text: ShellOperator;
}

export type ShellToken = WordToken | RedirectToken | OperatorToken;
