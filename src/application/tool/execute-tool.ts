import { inject, injectable } from 'inversify';
import type { Result } from '../../domain/result.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import { type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { BaseBudget, budgetUnder, type CallBudget } from '../call/call-budget.js';
import { CallScope } from '../call/call-scope.js';
import { Cancellation } from '../call/cancellation.js';
import { type CallChannel, SILENT_CHANNEL } from '../call/tool-context.js';
import { AuthoriseCall } from '../permission/authorise-call.js';
import { excessInput } from '../permission/excess-input.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { InputValidator } from '../ports/tool/input-validator.js';
import { CallJournal } from './call-journal.js';
import { foundUnder, type JournalEntry } from './journal-entry.js';
import { ResolveTool } from './resolve-tool.js';
import { RunTool } from './run-tool.js';

export interface ExecuteToolCommand {
  readonly sessionId: string;
  readonly toolName: string;
  readonly arguments?: unknown;
  /** The way back to the client while the call runs; silent where there is none. */
  readonly channel?: CallChannel;
  readonly cancellation?: Cancellation;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The answer is read as text, so fields that only structured answers tell apart may be joined. */
  readonly asText?: boolean;
  readonly workflow?: WorkflowContext;
  /** Hears the outcome before it is audited, so that no client waits for the record of its call. */
  readonly onOutcome?: (outcome: Result<ToolResult, ToolError>) => Promise<void>;
}

const NO_META: Readonly<Record<string, unknown>> = Object.freeze({});

/** Takes a call through every check, in an order that reveals nothing to a caller who may not know. */
@injectable()
export class ExecuteToolHandler {
  constructor(
    @inject(ResolveTool) private readonly tools: ResolveTool,
    @inject(InputValidator) private readonly validator: InputValidator,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(AuthoriseCall) private readonly permission: AuthoriseCall,
    @inject(RunTool) private readonly runner: RunTool,
    @inject(CallJournal) private readonly journal: CallJournal,
    @inject(BaseBudget) private readonly budget: CallBudget,
  ) {}

  async handle(command: ExecuteToolCommand): Promise<Result<ToolResult, ToolError>> {
    const entry = this.journal.open(command.toolName, command.arguments);
    let outcome: Result<ToolResult, ToolError>;
    try {
      outcome = await this.attempt(command, entry);
    } catch (error) {
      outcome = this.journal.fault(entry, error);
    }
    this.journal.stopClock(entry);
    try {
      const room = this.journal.room();
      if (room !== undefined) await room;
      outcome = this.journal.told(outcome);
      if (command.onOutcome !== undefined) await command.onOutcome(outcome);
    } finally {
      await this.journal.close(entry, outcome);
    }
    return outcome;
  }

  private async attempt(
    command: ExecuteToolCommand,
    entry: JournalEntry,
  ): Promise<Result<ToolResult, ToolError>> {
    // One snapshot for the whole call: a reload in the middle changes the next call, not this one.
    const snapshot = this.policies.current();
    const asking = this.tools.session(command.sessionId);
    if (!asking.success) return asking;
    const session = asking.value;
    // The audit says who asked for a tool that the role may not see.
    entry.found = foundUnder(snapshot.policy, session);
    const found = this.tools.find(session, command.toolName, snapshot.policy);
    if (!found.success) return found;
    const tool = found.value;
    entry.found = foundUnder(snapshot.policy, session, tool.tool);

    const excess = excessInput(command.arguments, snapshot.policy.maxInputBytesOf(tool.tool.name));
    if (excess !== undefined) return toolFailure(excess);
    const args = await this.validator.check(tool.tool, command.arguments ?? {});
    if (!args.success) return this.tools.refusal(session, tool, snapshot.policy) ?? args;

    const scope = new CallScope(
      session,
      entry.correlationId,
      command.meta ?? NO_META,
      command.cancellation ?? new Cancellation(),
      command.channel ?? SILENT_CHANNEL,
      command.workflow,
      command.asText,
    );
    entry.written = scope.written;
    const verdict = await this.permission.authorise(snapshot, tool, args.value, scope);
    entry.verdict = verdict;
    if (!verdict.granted) return toolFailure(verdict.error);
    const { obligations, decision } = verdict;

    const recorded = await this.journal.intend(entry);
    if (!recorded.success) return recorded;
    const budget = budgetUnder(this.budget, tool.budget, obligations);
    const { policy } = snapshot;
    scope.under({ policy, obligations, view: policy.viewFor(tool.tool.name), plans: decision.plans });
    const outcome = await this.runner.runLogged(tool, args.value, scope, budget);
    return this.journal.redacted(outcome, obligations);
  }
}
