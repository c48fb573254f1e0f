import type { ServiceIdentifier } from 'inversify';
import type { PatternRule } from '../../../domain/knowledge/pattern/pattern-rule.js';
import type { RuleHit } from '../../../domain/knowledge/pattern/rule-hit.js';
import type { Result } from '../../../domain/result.js';

/** Checks code against one rule. Stops what takes too long, and everything if the signal is aborted. */
export interface RuleChecker {
  /** Where the rule is broken. A failure says why it could not be checked. */
  check(
    rule: PatternRule,
    code: string,
    language: string | undefined,
    signal?: AbortSignal,
  ): Promise<Result<readonly RuleHit[]>>;
}

export const RuleChecker: ServiceIdentifier<RuleChecker> = Symbol.for('castellan.RuleChecker');
