export type ShellOperator = '|' | '|&' | '||' | '&&' | ';' | '&' | '(' | ')';

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
  /** What the parser calls it, where that is not the value: `~/x`. */
  readonly spelled?: string;
  /** The words that braces make of it, in its place. */
  readonly alternatives?: readonly { readonly value: string; readonly pattern?: string }[];
  /** Quoted here-documents inside it, given to cat: what each of them says is part of the value. */
  readonly documents?: readonly QuotedDocument[];
}

/** `$(cat <<'EOF' … EOF)`: text and nothing else. */
export interface QuotedDocument {
  readonly pos: number;
  readonly end: number;
  readonly body: string;
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
