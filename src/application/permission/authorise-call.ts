import { inject, injectable } from 'inversify';
import type { TextDigest } from '../../domain/canonical-json.js';
import { argumentDigest } from '../../domain/permission/consent/argument-digest.js';
import type { ConsentRoute, ConsentSubject } from '../../domain/permission/consent/consent-grant.js';
import type { ConsentNeeded, Decision, Denial } from '../../domain/permission/policy/decision.js';
import { type Obligations, stricterObligations } from '../../domain/permission/policy/obligations.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { Caller } from '../../domain/session/caller.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import { consentRequired, limitExceeded, type ToolError } from '../../domain/tool/tool-error.js';
import type { CallScope } from '../call/call-scope.js';
import type { ArgumentValues, RunnableTool } from '../call/runnable-tool.js';
import { ArgumentDigest } from '../ports/audit/argument-digest-source.js';
import { Redactor } from '../ports/audit/redactor.js';
import type { PolicySnapshot } from '../ports/permission/policy-source.js';
import { Clock } from '../ports/system/clock.js';
import { CountDeletion } from './count-deletion.js';
import { type CallToDecide, DecideCall } from './decide-call.js';
import { denialError } from './denial-error.js';
import { excessInput } from './excess-input.js';
import { ObtainConsentHandler } from './obtain-consent.js';

/** The decision on a call, including the answer of a person if one had to be asked. */
export type CallVerdict =
  | {
      readonly granted: true;
      readonly decision: Exclude<Decision, Denial>;
      readonly obligations: Obligations;
      readonly consent?: ConsentRoute;
    }
  | { readonly granted: false; readonly decision: Decision; readonly error: ToolError };

/** A call and the policy's decision; an error if it is refused regardless of consent. */
type DecidedCall =
  | { readonly call: CallToDecide; readonly decision: Decision; readonly error: ToolError }
  | {
      readonly call: CallToDecide;
      readonly decision: Exclude<Decision, Denial>;
      readonly error?: undefined;
    };

/** Asks the policy about a call and, if it requires consent, a person. */
@injectable()
export class AuthoriseCall {
  constructor(
    @inject(DecideCall) private readonly decideCall: DecideCall,
    @inject(ObtainConsentHandler) private readonly consent: ObtainConsentHandler,
    @inject(ArgumentDigest) private readonly digest: TextDigest,
    @inject(Redactor) private readonly redactor: Redactor,
    @inject(Clock) private readonly clock: Clock,
    @inject(CountDeletion) private readonly deletion: CountDeletion,
  ) {}

  async authorise(
    snapshot: PolicySnapshot,
    tool: RunnableTool,
    args: ArgumentValues,
    scope: CallScope,
  ): Promise<CallVerdict> {
    const { call, decision, error } = await this.decide(snapshot.policy, tool, args, scope.caller);
    if (error !== undefined) return { granted: false, decision, error };
    switch (decision.effect) {
      case 'allow':
        return { granted: true, decision, obligations: decision.obligations };
      case 'consent':
        return this.ask(snapshot, decision, tool, call, scope);
    }
  }

  /**
   * For a call from inside another, which never gets more than the outer one. Persons consent only to calls
   * of clients.
   */
  async authoriseInner(
    policy: PermissionPolicy,
    tool: RunnableTool,
    args: ArgumentValues,
    caller: Caller,
    outer: Obligations | undefined,
  ): Promise<CallVerdict> {
    const { decision, error } = await this.decide(policy, tool, args, caller);
    if (error !== undefined) return { granted: false, decision, error };
    if (decision.effect === 'consent') {
      const message = `A person must consent to ${tool.tool.name}. Call it directly to ask.`;
      return { granted: false, decision, error: consentRequired('CONSENT_REQUIRED', message) };
    }
    const own = decision.obligations;
    const obligations = outer === undefined ? own : stricterObligations(outer, own);
    const excess = excessInput(args, obligations.limits.maxInputBytes);
    return excess === undefined
      ? { granted: true, decision, obligations }
      : { granted: false, decision, error: excess };
  }

  /** The policy's decision on a call, before anybody is asked. */
  async decide(
    policy: PermissionPolicy,
    tool: RunnableTool,
    args: ArgumentValues,
    caller: Caller,
  ): Promise<DecidedCall> {
    const requests = tool.permissions(args);
    const { name } = tool.tool;
    const call: CallToDecide = { caller, tool: name, arguments: args, requests };
    const decision = await this.decideCall.read(policy, call);
    if (decision.effect === 'deny') return { call, decision, error: denialError(decision, name) };
    const error = excessInput(args, decision.obligations.limits.maxInputBytes);
    return error === undefined ? { call, decision } : { call, decision, error };
  }

  private async ask(
    snapshot: PolicySnapshot,
    decision: ConsentNeeded,
    tool: RunnableTool,
    call: CallToDecide,
    scope: CallScope,
  ): Promise<CallVerdict> {
    const args = call.arguments;
    const digest = argumentDigest(args, this.digest);
    if (!digest.success) return { granted: false, decision, error: limitExceeded(digest.error) };
    const { mode, phrase, rememberMs, expiresMs, askedBy, via } = decision.consent;
    const subject: ConsentSubject = {
      callerId: scope.caller.id,
      sessionId: scope.session.id,
      tool: tool.tool.name,
      argumentDigest: digest.value,
      policyHash: snapshot.hash,
    };
    const consequences = await this.consequences(snapshot, call, scope);
    const outcome = await this.consent.handle({
      mode,
      subject,
      askedBy,
      via,
      arguments: args,
      form: {
        tool: tool.tool.name,
        effect: tool.tool.summary,
        ...(consequences !== undefined && { consequences }),
        arguments: previewArguments(args, (text) => this.redactor.text(text)),
        ...(phrase !== undefined && { phrase }),
        ...(rememberMs !== undefined && { rememberMs }),
      },
      origin: { caller: scope.caller, sessionId: scope.session.id, client: scope },
      ...(expiresMs !== undefined && { expiresMs }),
      signal: scope.signal,
    });
    if (outcome.kind === 'refused') {
      const parts = [outcome.message, outcome.why === 'unavailable' ? consequences : undefined];
      if (outcome.why === 'unavailable' && consequences !== undefined) parts.push(DELETE_LESS);
      const message = parts.filter((part) => part !== undefined).join(' ');
      return { granted: false, decision, error: consentRequired(outcome.reason, message, outcome.approval) };
    }
    const used = outcome.grant.consume(subject, this.clock.now());
    if (used === 'granted') {
      return { granted: true, decision, obligations: decision.obligations, consent: outcome.grant.route };
    }
    return {
      granted: false,
      decision,
      error: consentRequired('CONSENT_REQUIRED', `The approval cannot be used (${used}). Ask again.`),
    };
  }

  /** What the call would delete, as text; undefined if nothing worth mentioning. */
  async consequences(
    { policy }: PolicySnapshot,
    call: CallToDecide,
    scope: CallScope,
  ): Promise<string | undefined> {
    const paths = this.decideCall.deletions(policy, call);
    return paths.length === 0 ? undefined : this.deletion.describe(paths, scope);
  }
}

const DELETE_LESS = 'Delete specific paths by name, or ask the user to do this.';
