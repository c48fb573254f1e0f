import { inject, injectable } from 'inversify';
import type { AuditedOutcome } from '../../../domain/audit/audit-record.js';
import type { Obligations } from '../../../domain/permission/policy/obligations.js';
import { Result } from '../../../domain/result.js';
import { previewArguments } from '../../../domain/tool/argument-preview.js';
import {
  errorTypeOf,
  internalFault,
  type ToolError,
  toolFailure,
  withToolContext,
} from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import type { CallVerdict } from '../../permission/authorise-call.js';
import { AuditLog } from '../../ports/audit/audit-log.js';
import { ResultRedactor } from '../../ports/audit/redactor.js';
import { CallObserver } from '../../ports/system/call-observer.js';
import { Clock } from '../../ports/system/clock.js';
import { IdSource } from '../../ports/system/id-source.js';
import { Logger } from '../../ports/system/logger.js';
import { ToolStatistics } from '../../ports/tool/tool-statistics.js';
import type { CallPace } from './call-pace.js';
import {
  auditedCall,
  auditedOutcome,
  type JournalEntry,
  landedIn,
  obligationsOf,
  observed,
} from './journal-entry.js';
import { unrecordedOutcome, unrecordedRefusal } from './unrecorded-call.js';

/** How a call is recorded, depending on who made it. */
interface RecordedCall {
  /** Set for a call from inside the server. */
  readonly inner?: object | undefined;
  /** Receives the outcome before it is audited. */
  readonly onOutcome?: ((outcome: Result<ToolResult, ToolError>) => Promise<void>) | undefined;
}

/** Records every call: audit, statistics, log. */
@injectable()
export class CallJournal {
  constructor(
    @inject(AuditLog) private readonly audit: AuditLog,
    @inject(ToolStatistics) private readonly statistics: ToolStatistics,
    @inject(Logger) private readonly logger: Logger,
    @inject(ResultRedactor) private readonly redactor: ResultRedactor,
    @inject(Clock) private readonly clock: Clock,
    @inject(IdSource) private readonly ids: IdSource,
    @inject(CallObserver) private readonly observer: CallObserver,
  ) {}

  open(requested: string, args: unknown): JournalEntry {
    return { correlationId: this.ids.next(), requested, arguments: args, startedAt: this.clock.elapsed() };
  }

  /** Runs the attempt and records its outcome. A client's call waits until there is room for its record. */
  async record(
    entry: JournalEntry,
    attempt: () => Promise<Result<ToolResult, ToolError>>,
    { inner, onOutcome }: RecordedCall,
    pace?: CallPace,
  ): Promise<Result<ToolResult, ToolError>> {
    let outcome: Result<ToolResult, ToolError>;
    try {
      outcome = await attempt();
    } catch (error) {
      outcome = this.fault(entry, error);
    }
    this.stopClock(entry);
    try {
      if (inner === undefined) {
        const room = this.room();
        if (room !== undefined) await room;
        outcome = this.#told(outcome);
      }
      await pace?.step();
      if (onOutcome !== undefined) await onOutcome(outcome);
    } finally {
      await pace?.step();
      await this.close(entry, outcome);
    }
    return outcome;
  }

  /** Runs a granted call: recorded in advance if required, redacted afterwards. */
  async granted(
    entry: JournalEntry,
    verdict: CallVerdict,
    run: (granted: Extract<CallVerdict, { granted: true }>) => Promise<Result<ToolResult, ToolError>>,
  ): Promise<Result<ToolResult, ToolError>> {
    entry.verdict = verdict;
    if (!verdict.granted) return toolFailure(verdict.error);
    const recorded = await this.intend(entry);
    if (!recorded.success) return recorded;
    return this.redacted(await run(verdict), verdict.obligations);
  }

  /**
   * Records the intent of a call that changes something. If the policy requires the record, a failure stops
   * the call.
   */
  async intend(entry: JournalEntry): Promise<Result<undefined, ToolError>> {
    const required = obligationsOf(entry)?.auditRequired ?? false;
    if (!required && (entry.found?.tool?.hints.readOnly ?? true)) return Result.ok(undefined);
    entry.intended = auditedCall(entry);
    const ticket = await this.audit.intent({ at: this.clock.now(), call: entry.intended, required });
    if (ticket.success) {
      entry.ticket = ticket.value;
      return Result.ok(undefined);
    }
    this.logger.warn('A call could not be recorded before it ran', {
      correlationId: entry.correlationId,
      why: ticket.error,
    });
    return required ? unrecordedRefusal() : Result.ok(undefined);
  }

  /** What a result must wait for, so that calls are not answered faster than they can be recorded. */
  room(): Promise<unknown> | undefined {
    return this.audit.room?.(this.clock.now());
  }

  /** The outcome as reported, with a note while records do not reach the disk. */
  #told(outcome: Result<ToolResult, ToolError>): Result<ToolResult, ToolError> {
    const problem = this.audit.problem?.();
    return problem === undefined ? outcome : unrecordedOutcome(outcome, problem);
  }

  /** Sets how long the call took; later work on its outcome does not count. */
  stopClock(entry: JournalEntry): number {
    entry.durationMs ??= this.clock.elapsed() - entry.startedAt;
    return entry.durationMs;
  }

  async close(entry: JournalEntry, outcome: Result<ToolResult, ToolError>): Promise<void> {
    const durationMs = this.stopClock(entry);
    if (entry.found?.tool !== undefined) {
      this.statistics.record(
        entry.found.tool.name,
        durationMs,
        outcome.success ? undefined : outcome.error.kind,
      );
    }
    if (!outcome.success) this.#logFailure(entry, outcome.error);
    if (this.observer.watched) this.observer.observe(observed(entry, outcome, durationMs));
    const recorded = await this.audit.outcome({
      at: this.clock.now(),
      call: entry.intended ?? auditedCall(entry),
      outcome: { ...auditedOutcome(outcome, durationMs), ...landedIn(entry) },
      ...(entry.ticket && { ticket: entry.ticket }),
    });
    if (!recorded.success) {
      this.logger.warn('A call could not be recorded', {
        correlationId: entry.correlationId,
        why: recorded.error,
      });
    }
  }

  /**
   * Records a call that was decided here and is made by another program; statistics do not count it. The
   * record is on disk before the decision is returned, because the program that asked may kill this process
   * afterwards. Fails if the policy requires a record and none can be written.
   */
  async judged(entry: JournalEntry, error: ToolError | undefined): Promise<Result<undefined, ToolError>> {
    const durationMs = this.stopClock(entry);
    const outcome: AuditedOutcome =
      error === undefined
        ? { kind: 'success', durationMs, bytes: 0 }
        : { kind: 'refused', errorType: errorTypeOf(error), durationMs, bytes: 0 };
    const taken = await this.audit.outcome({ at: this.clock.now(), call: auditedCall(entry), outcome });
    const recorded = taken.success ? await this.audit.flush() : taken;
    if (recorded.success) return Result.ok(undefined);
    const { correlationId } = entry;
    this.logger.warn('A decision could not be recorded', { correlationId, why: recorded.error });
    return obligationsOf(entry)?.auditRequired ? unrecordedRefusal() : Result.ok(undefined);
  }

  /** An error of the pipeline itself: the log has all of it, the caller only the id to look it up. */
  fault(entry: JournalEntry, error: unknown): Result<ToolResult, ToolError> {
    const name = entry.found?.tool?.name ?? entry.requested.slice(0, 100);
    this.logger.error(`Call to ${name} broke the pipeline`, { correlationId: entry.correlationId, error });
    return toolFailure(internalFault(entry.correlationId));
  }

  /** Removes from a result what the policy says to redact. */
  redacted(
    outcome: Result<ToolResult, ToolError>,
    { redactResults }: Obligations,
  ): Result<ToolResult, ToolError> {
    if (!redactResults) return outcome;
    const clean = (text: string) => this.redactor.text(text);
    // The message of a failure can contain a command's output, or the line nearest to an edit.
    if (!outcome.success) return toolFailure(redactedError(outcome.error, clean));
    const { message, instruction } = outcome.notes;
    return Result.ok(outcome.value.mapText(clean), {
      ...outcome.notes,
      ...(message !== undefined && { message: clean(message) }),
      ...(instruction !== undefined && { instruction: clean(instruction) }),
    });
  }

  #logFailure(entry: JournalEntry, error: ToolError): void {
    if (!this.logger.enabled('debug')) return;
    const name = entry.found?.tool?.name ?? entry.requested.slice(0, 100);
    const known = withToolContext(error, name, previewArguments(entry.arguments));
    const { kind, tool, message, arguments: args } = known;
    const { correlationId } = entry;
    this.logger.debug(`Call to ${tool} failed: ${message}`, { correlationId, kind, tool, arguments: args });
  }
}

function redactedError(error: ToolError, clean: (text: string) => string): ToolError {
  const { instruction } = error;
  const shown = {
    message: clean(error.message),
    ...(instruction !== undefined && { instruction: clean(instruction) }),
  };
  if (error.kind !== 'invalid-input') return { ...error, ...shown };
  const problems = error.problems.map((problem) => ({
    ...problem,
    issue: clean(problem.issue),
    received: clean(problem.received),
  }));
  return { ...error, ...shown, problems };
}
