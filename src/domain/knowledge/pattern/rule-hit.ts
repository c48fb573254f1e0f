/** Where code breaks a rule; both count from 1. */
export interface RuleHit {
  readonly line: number;
  readonly column: number;
}
