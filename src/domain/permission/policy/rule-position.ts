/**
 * The position of a rule, so that every decision can be looked up. Built-in rules are in files named
 * `builtin:…`.
 */
export interface RulePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly id?: string;
  readonly why?: string;
}

export function formatPosition(position: RulePosition): string {
  return `${position.file}:${position.line}:${position.column}`;
}
