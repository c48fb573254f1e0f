import { inject, injectable } from 'inversify';
import {
  type Decision,
  type DecisionStep,
  type Denial,
  deny,
} from '../../domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { formatPosition } from '../../domain/permission/policy/rule-position.js';
import type { Caller } from '../../domain/session/caller.js';
import type { ReasonCode } from '../../domain/tool/tool-error.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { InputValidator } from '../ports/tool/input-validator.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { type CallToDecide, DecideCall } from './decide-call.js';

/** Everything about a decision, for the owner of the policy. */
export interface PermissionExplanation {
  readonly effect: Decision['effect'];
  readonly reason?: ReasonCode;
  /** `file:line:column` of the deciding rule. */
  readonly rule?: string;
  readonly id?: string;
  readonly why?: string;
  readonly message: string;
  /** The sources of the active policy: files and profiles, the first one first. */
  readonly policy?: readonly string[];
  readonly steps: readonly DecisionStep[];
}

/** What an agent may know: the kind of rule and what to do, never a hidden path, a pattern or a position. */
export interface SafeExplanation {
  readonly allowed: boolean;
  readonly asks: boolean;
  readonly reason?: ReasonCode;
  readonly rule_kind: string;
  readonly hint: string;
}

export interface ExplainPermissionQuery {
  readonly caller: Caller;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Explains what would happen to a call without making it. Arguments need not be complete. */
@injectable()
export class ExplainPermissionHandler {
  constructor(
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(DecideCall) private readonly decideCall: DecideCall,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(InputValidator) private readonly validator: InputValidator,
  ) {}

  async handle(query: ExplainPermissionQuery): Promise<PermissionExplanation> {
    const call = await this.#call(query);
    const { policy, origin } = this.policies.current();
    const explained = { ...explainPermission(this.decideCall, policy, call), policy: origin };
    if (explained.effect === 'deny') return explained;
    const missing = this.#missing(call.tool);
    if (missing === undefined) return this.#withWhatDoesNotFit(explained, query);
    const { effect, reason, message } = missing;
    const step = { check: 'tool', outcome: 'refused', policy: 'settings', detail: message } as const;
    return { effect, reason, message, steps: [step] };
  }

  async handleSafely(query: ExplainPermissionQuery): Promise<SafeExplanation> {
    const call = await this.#call(query);
    const decision = this.decideCall.decide(this.policies.current().policy, call);
    const missing = decision.effect === 'deny' ? undefined : this.#missing(call.tool);
    return explainSafely(missing ?? decision);
  }

  /** The policy decides on the given arguments; invalid ones may be refused before it is asked. */
  async #withWhatDoesNotFit(
    explained: PermissionExplanation,
    query: ExplainPermissionQuery,
  ): Promise<PermissionExplanation> {
    const found = this.tools.get(query.tool);
    const checked = found && (await this.validator.check(found.tool, query.arguments));
    if (checked === undefined || checked.success) return explained;
    const message = `${explained.message} But the call would fail: ${checked.error.message}.`;
    return { ...explained, message };
  }

  /** A tool that the policy allows may still be excluded by the settings, or disabled by a flag. */
  #missing(name: string): Denial | undefined {
    const found = this.tools.get(name);
    const subject = { kind: 'tool', text: name } as const;
    if (found === undefined) {
      const message = `The policy allows ${name}, but the settings exclude it.`;
      return deny('UNKNOWN_TOOL', subject, message, 'Call tools/list for the available tools.');
    }
    if (found.tool.enabled) return undefined;
    const message = `The policy allows ${name}, and it is switched off: by its flag (tools.enabled_by in castellan.yaml) or its definition.`;
    return deny('DISABLED', subject, message, `${name} is switched off here.`);
  }

  async #call(query: ExplainPermissionQuery): Promise<CallToDecide> {
    const found = this.tools.get(query.tool);
    const tool = found?.tool.name ?? query.tool;
    const args = found === undefined ? query.arguments : this.validator.complete(found.tool, query.arguments);
    const requests = found?.permissions(args) ?? [];
    await this.decideCall.load(requests);
    return { ...query, tool, arguments: args, requests };
  }
}

export function explainPermission(
  decideCall: DecideCall,
  policy: PermissionPolicy,
  call: CallToDecide,
): PermissionExplanation {
  const { decision, steps } = decideCall.explain(policy, call);
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
      return 'Everything that the call requests is allowed.';
    case 'consent':
      return `Allowed after the user's approval (${decision.consent.mode}).`;
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
        hint: 'Make the call; the user is asked first.',
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
    case 'CONSENT_PENDING':
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
