import type { Decision, DecisionStep } from '../../domain/permission/decision.js';
import type { PermissionPolicy } from '../../domain/permission/permission-policy.js';
import { formatPosition } from '../../domain/permission/rule-position.js';
import type { ReasonCode } from '../../domain/tool/tool-error.js';
import type { CallAuthoriser, CallToAuthorise } from './call-authoriser.js';

/** Everything about a decision, for whoever owns the policy. */
export interface PermissionExplanation {
  readonly effect: Decision['effect'];
  readonly reason?: ReasonCode;
  /** `file:line:column` of the deciding rule. */
  readonly rule?: string;
  readonly id?: string;
  readonly why?: string;
  readonly message: string;
  readonly steps: readonly DecisionStep[];
}

/** What an agent may know: the kind of rule and what to do, never a hidden path, a pattern or a place. */
export interface SafeExplanation {
  readonly allowed: boolean;
  readonly asks: boolean;
  readonly reason?: ReasonCode;
  readonly rule_kind: string;
  readonly hint: string;
}

export function explainPermission(
  authoriser: CallAuthoriser,
  policy: PermissionPolicy,
  call: CallToAuthorise,
): PermissionExplanation {
  const { decision, steps } = authoriser.explain(policy, call);
  const { rule } = decision;
  return {
    effect: decision.effect,
    ...(decision.effect !== 'allow' && { reason: decision.reason }),
    ...(rule && { rule: formatPosition(rule) }),
    ...(rule?.id !== undefined && { id: rule.id }),
    ...(rule?.why !== undefined && { why: rule.why }),
    message: messageOf(decision),
    steps,
  };
}

function messageOf(decision: Decision): string {
  switch (decision.effect) {
    case 'allow':
      return 'Allowed.';
    case 'consent':
      return `Allowed once a person agrees (${decision.consent.mode}).`;
    case 'deny':
      return decision.message;
  }
}

export function explainSafely(decision: Decision): SafeExplanation {
  switch (decision.effect) {
    case 'allow':
      return { allowed: true, asks: false, rule_kind: 'allow', hint: 'Make the call.' };
    case 'consent':
      return {
        allowed: true,
        asks: true,
        reason: decision.reason,
        rule_kind: 'consent',
        hint: 'Make the call; the person at the client is asked first.',
      };
    case 'deny': {
      // A tool the role may not see must look like one that does not exist.
      const reason = decision.reason === 'ROLE' ? 'UNKNOWN_TOOL' : decision.reason;
      return { allowed: false, asks: false, reason, rule_kind: kindOf(reason), hint: decision.hint };
    }
  }
}

function kindOf(reason: ReasonCode): string {
  switch (reason) {
    case 'UNKNOWN_TOOL':
    case 'ROLE':
      return 'no such tool';
    case 'DISABLED':
      return 'tool switched off';
    case 'ARGUMENT':
      return 'constraint on an argument';
    case 'UNPARSEABLE':
    case 'SHELL_SYNTAX':
      return 'form of the request';
    case 'HAZARDOUS_ARGUMENT':
      return 'option of a program';
    case 'PROTECTED':
      return 'built-in protection';
    case 'DENIED_PATH':
      return 'denied path';
    case 'DENIED_COMMAND':
      return 'denied command';
    case 'NO_ALLOW':
      return 'nothing allows it';
    case 'CONSENT_REQUIRED':
    case 'CONSENT_UNAVAILABLE':
      return 'consent';
    case 'RATE_LIMITED':
    case 'BREAKER_OPEN':
    case 'BUSY':
      return 'limit';
    case 'SANDBOX_UNAVAILABLE':
    case 'AUDIT_UNAVAILABLE':
      return 'missing safeguard';
  }
}
