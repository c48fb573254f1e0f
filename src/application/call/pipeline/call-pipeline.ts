import { inject, injectable } from 'inversify';
import type { Obligations } from '../../../domain/permission/policy/obligations.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import type { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import type { WorkflowContext } from '../../../domain/session/workflow-context.js';
import { type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import { ApprovedCalls } from '../../permission/approved-calls.js';
import { AuthoriseCall } from '../../permission/authorise-call.js';
import { excessInput } from '../../permission/excess-input.js';
import { PolicySource } from '../../ports/permission/policy-source.js';
import { Turns } from '../../ports/system/turns.js';
import { InputValidator } from '../../ports/tool/input-validator.js';
import { BaseBudget, budgetUnder, type CallBudget } from '../call-budget.js';
import { CallScope } from '../call-scope.js';
import { Cancellation } from '../cancellation.js';
import { type CallChannel, SILENT_CHANNEL } from '../tool-context.js';
import { CallJournal } from './call-journal.js';
import { CallPace } from './call-pace.js';
import { foundUnder, type JournalEntry } from './journal-entry.js';
import { OpenOwnTmp } from './open-own-tmp.js';
import { ResolveTool } from './resolve-tool.js';
import { RunTool } from './run-tool.js';

/** What every call has, whoever makes it. */
export interface PipelineCall {
  /** undefined: the session does not exist. */
  readonly session: Session | undefined;
  readonly toolName: string;
  readonly arguments?: unknown;
  /** The channel to the client while the call runs; silent if there is none. */
  readonly channel?: CallChannel;
  readonly cancellation?: Cancellation;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The result is read as text, so fields that only structured results separate may be joined. */
  readonly asText?: boolean | undefined;
  readonly workflow?: WorkflowContext | undefined;
  /** Receives the outcome before it is audited, so that no client waits for the record of its call. */
  readonly onOutcome?: ((outcome: Result<ToolResult, ToolError>) => Promise<void>) | undefined;
  /** undefined for the call of a client. */
  readonly inner?: InnerCall;
}

/** A call from inside the server. It cannot ask for consent and its run is not logged. */
export interface InnerCall {
  /** The policy of the outer call (default: the active one). */
  readonly policy?: PermissionPolicy;
  /** Those of the outer call: the inner one gets the stricter of each. */
  readonly obligations?: Obligations;
}

const NO_META: Readonly<Record<string, unknown>> = Object.freeze({});

/** Runs a call through every step, in an order that reveals nothing to a caller who may not know. */
@injectable()
export class CallPipeline {
  constructor(
    @inject(ResolveTool) private readonly tools: ResolveTool,
    @inject(InputValidator) private readonly validator: InputValidator,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(AuthoriseCall) private readonly permission: AuthoriseCall,
    @inject(RunTool) private readonly runner: RunTool,
    @inject(CallJournal) private readonly journal: CallJournal,
    @inject(BaseBudget) private readonly budget: CallBudget,
    @inject(ApprovedCalls) private readonly approvals: ApprovedCalls,
    @inject(Turns) private readonly turns: Turns,
    @inject(OpenOwnTmp) private readonly tmp: Pick<OpenOwnTmp, 'open'>,
  ) {}

  run(call: PipelineCall): Promise<Result<ToolResult, ToolError>> {
    const entry = this.journal.open(call.toolName, call.arguments);
    const pace = new CallPace(call.arguments, this.turns);
    return this.journal.record(entry, () => this.#attempt(call, entry, pace), call, pace);
  }

  async #attempt(
    call: PipelineCall,
    entry: JournalEntry,
    pace: CallPace,
  ): Promise<Result<ToolResult, ToolError>> {
    const { inner, toolName } = call;
    // One snapshot for the whole call: a reload in between affects the next call, not this one.
    const snapshot = this.policies.current();
    const policy = inner?.policy ?? snapshot.policy;
    const asking = this.tools.ready(call.session);
    if (!asking.success) return asking;
    const session = asking.value;
    // The audit names the caller that asked for a tool its role may not see.
    entry.found = foundUnder(policy, session);
    const found = this.tools.find(session, toolName, policy);
    if (!found.success) return found;
    const { runnable: tool, refusal } = found.value;
    entry.found = foundUnder(policy, session, tool.tool);

    const given = this.approvals.argumentsOf(call, session, tool.tool.name);
    if (!given.success) return given;
    entry.arguments = given.value;
    await pace.step();
    const excess = excessInput(given.value, policy.maxInputBytesOf(tool.tool.name));
    if (excess !== undefined) return toolFailure(excess);
    await pace.step();
    const checked = await this.validator.check(tool.tool, given.value ?? {});
    // If the tool is refused with any arguments, the caller need not correct them.
    if (!checked.success) return refusal === undefined ? checked : toolFailure(refusal);

    const args = checked.value;
    const scope = scopeOf(call, session, entry);
    await pace.step();
    const verdict =
      inner === undefined
        ? await this.permission.authorise(snapshot, tool, args, scope)
        : await this.permission.authoriseInner(policy, tool, args, scope.caller, inner.obligations);
    await pace.step();
    return this.journal.granted(entry, verdict, async ({ obligations, decision }) => {
      await pace.step();
      const budget = budgetUnder(this.budget, tool.budget, obligations);
      const { name } = tool.tool;
      const opened = await this.tmp.open(decision, session, name, policy);
      if (!opened.success) return opened;
      const ownTmp = opened.value;
      const view = ownTmp?.view ?? policy.viewFor(name);
      scope.under({ policy, obligations, view, plans: decision.plans, ownTmp });
      return this.runner.run(tool, args, scope, budget, inner === undefined);
    });
  }
}

function scopeOf(call: PipelineCall, session: Session, entry: JournalEntry): CallScope {
  const { meta = NO_META, cancellation = new Cancellation(), channel = SILENT_CHANNEL } = call;
  const { workflow, asText } = call;
  const scope = new CallScope(session, entry.correlationId, meta, cancellation, channel, workflow, asText);
  entry.written = scope.written;
  return scope;
}
