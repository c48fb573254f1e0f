import { inject, injectable } from 'inversify';
import { type Obligations, stricterObligations } from '../../domain/permission/policy/obligations.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import { consentRequired, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { BaseBudget, budgetUnder, type CallBudget } from '../call/call-budget.js';
import { CallScope } from '../call/call-scope.js';
import { Cancellation } from '../call/cancellation.js';
import type { ArgumentValues, RunnableTool } from '../call/runnable-tool.js';
import { type CallChannel, SILENT_CHANNEL, type ToolContext } from '../call/tool-context.js';
import type { CallVerdict } from '../permission/authorise-call.js';
import { DecideCall } from '../permission/decide-call.js';
import { denialError } from '../permission/denial-error.js';
import { excessInput } from '../permission/excess-input.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { InputValidator } from '../ports/tool/input-validator.js';
import { CallJournal } from './call-journal.js';
import { foundUnder, type JournalEntry } from './journal-entry.js';
import { ResolveTool } from './resolve-tool.js';
import { RunTool } from './run-tool.js';

/** Where a direct call comes from: a call that was granted, or a session that has none under way. */
interface Origin {
  readonly session: Session;
  readonly policy: PermissionPolicy;
  /** Those of the call outside; the inner one gets the stricter of each. */
  readonly obligations?: Obligations;
  readonly channel: CallChannel;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly workflow?: WorkflowContext | undefined;
}

/**
 * The implementations behind the tools, for code that runs inside the server: no prefix and no lines in
 * the log, the same arguments and the same context. Permission for the outer call says nothing about the
 * inner one: the policy is asked again, about this tool and what it is about to do, and the inner call has its
 * own place in the audit log, in the statistics, in the caller's rate and in the sandbox.
 */
@injectable()
export class ToolImplementations {
  constructor(
    @inject(ResolveTool) private readonly finder: ResolveTool,
    @inject(InputValidator) private readonly validator: InputValidator,
    @inject(DecideCall) private readonly decideCall: DecideCall,
    @inject(RunTool) private readonly runner: RunTool,
    @inject(CallJournal) private readonly journal: CallJournal,
    @inject(BaseBudget) private readonly budget: CallBudget,
    @inject(PolicySource) private readonly policies: PolicySource,
  ) {}

  /** From within a tool: `context` is the one its own `run` was given. */
  run(name: string, args: ArgumentValues, context: ToolContext): Promise<Result<ToolResult, ToolError>> {
    const { session, meta, workflow, grant, signal } = context;
    const { policy, obligations } = grant;
    const origin: Origin = { session, policy, obligations, channel: context, meta, workflow };
    return this.#run(name, args, origin, Cancellation.following(signal));
  }

  /** For code that serves no call, such as a prompt that is rendered. Nobody can be asked for consent. */
  runIn(session: Session, name: string, args: ArgumentValues): Promise<Result<ToolResult, ToolError>> {
    const { policy } = this.policies.current();
    return this.#run(name, args, { session, policy, channel: SILENT_CHANNEL, meta: {} }, new Cancellation());
  }

  async #run(
    name: string,
    args: ArgumentValues,
    origin: Origin,
    cancellation: Cancellation,
  ): Promise<Result<ToolResult, ToolError>> {
    const entry = this.journal.open(name, args);
    let outcome: Result<ToolResult, ToolError>;
    try {
      outcome = await this.#attempt(name, args, origin, entry, cancellation);
    } catch (error) {
      outcome = this.journal.fault(entry, error);
    } finally {
      cancellation.release();
    }
    await this.journal.close(entry, outcome);
    return outcome;
  }

  async #attempt(
    name: string,
    args: ArgumentValues,
    origin: Origin,
    entry: JournalEntry,
    cancellation: Cancellation,
  ): Promise<Result<ToolResult, ToolError>> {
    const { session, meta, workflow, policy, channel } = origin;
    entry.found = foundUnder(policy, session);
    const open = this.finder.session(session.id);
    const found = open.success ? this.finder.find(session, name, policy) : open;
    if (!found.success) return found;
    const bare = found.value;
    entry.found = foundUnder(policy, session, bare.tool);
    const excess = excessInput(args, policy.maxInputBytesOf(bare.tool.name));
    if (excess !== undefined) return toolFailure(excess);
    const checked = await this.validator.check(bare.tool, args);
    if (!checked.success) return this.finder.refusal(session, found.value, policy) ?? checked;
    const verdict = await this.#verdict(bare, checked.value, origin);
    entry.verdict = verdict;
    if (!verdict.granted) return toolFailure(verdict.error);
    const recorded = await this.journal.intend(entry);
    if (!recorded.success) return recorded;
    const { obligations, decision } = verdict;
    const scope = new CallScope(session, entry.correlationId, meta, cancellation, channel, workflow);
    entry.written = scope.written;
    scope.under({ policy, obligations, view: policy.viewFor(bare.tool.name), plans: decision.plans });
    const budget = budgetUnder(this.budget, bare.budget, obligations);
    const outcome = await this.runner.run(bare, checked.value, scope, budget);
    return this.journal.redacted(outcome, obligations);
  }

  /** Never more than the outer call has. Nobody is asked: a person consents to calls that a client makes. */
  async #verdict(
    bare: RunnableTool,
    args: ArgumentValues,
    { session: { caller }, policy, obligations }: Origin,
  ): Promise<CallVerdict> {
    const requests = bare.permissions(args);
    if (requests.some(({ kind }) => kind === 'run-command')) await this.decideCall.load(requests);
    const { name } = bare.tool;
    const decision = this.decideCall.decide(policy, { caller, tool: name, arguments: args, requests });
    switch (decision.effect) {
      case 'allow': {
        const own = decision.obligations;
        const stricter = obligations === undefined ? own : stricterObligations(obligations, own);
        const excess = excessInput(args, stricter.limits.maxInputBytes);
        if (excess !== undefined) return { granted: false, decision, error: excess };
        return { granted: true, decision, obligations: stricter };
      }
      case 'deny':
        return { granted: false, decision, error: denialError(decision, name) };
      case 'consent': {
        const message = `A person must consent to ${name}. Call it directly to ask.`;
        return { granted: false, decision, error: consentRequired('CONSENT_REQUIRED', message) };
      }
    }
  }
}
