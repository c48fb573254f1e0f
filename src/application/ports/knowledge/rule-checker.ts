import type { ServiceIdentifier } from 'inversify';
import type { PatternRule } from '../../../domain/knowledge/pattern/pattern-rule.js';
import type { RuleHit } from '../../../domain/knowledge/pattern/rule-hit.js';
import type { Result } from '../../../domain/result.js';

/** Holds code against one rule. What takes too long is ended, and so is everything when the signal says so. */
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
