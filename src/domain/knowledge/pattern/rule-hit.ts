/** Where code breaks a rule; line and column count from 1. */
export interface RuleHit {
  readonly line: number;
  readonly column: number;
}
