import { join } from 'node:path';
import type { AuditLog } from '../../application/ports/audit/audit-log.js';
import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { SegmentLink } from '../../domain/audit/audit-chain.js';
import type {
  AuditConnection,
  AuditIntent,
  AuditOutcome,
  AuditTicket,
} from '../../domain/audit/audit-record.js';
import { Result } from '../../domain/result.js';
import { openStateFolder } from '../state/state-folder.js';
import { newestSegment, type Retention, retentionOf, retireSegments, segmentName } from './audit-folder.js';
import { openAuditKey } from './audit-key.js';
import { AuditLine } from './audit-line.js';
import { AuditQueue } from './audit-queue.js';
import { AuditSeal } from './audit-seal.js';
import { AuditSegment } from './audit-segment.js';

/** Passes records on without holding up the log. */
export interface RecordStream {
  /** Whole lines, as they stand on the disk. */
  send(lines: string): void;
  close(): Promise<void>;
}

export interface AuditLogOptions {
  readonly stateFolder: string;
  /** Named in every record. */
  readonly workspace?: string;
  readonly segmentBytes?: number;
  readonly keep?: Retention;
  /** A record is on the disk at most so long after it was made. */
  readonly flushAfterMs?: number;
  /** What may wait in memory while the disk is slow. */
  readonly queueBytes?: number;
  /** Named in every record where several instances serve together. */
  readonly instance?: string;
  /** Gets the records as they are written. The log closes it after the last one. */
  readonly stream?: RecordStream;
  /** Hears what the log can live with but a person should know. */
  readonly onProblem?: (message: string) => void;
  /** Hears when the log cannot be written, and without a problem when it can be again. */
  readonly onDisk?: (problem: string | undefined) => void;
}

const RETRY_OPEN_MS = 1000;
const RECORDED: Promise<Result<undefined>> = Promise.resolve(Result.ok(undefined));

interface Writer {
  readonly line: AuditLine;
  readonly queue: AuditQueue;
}

/** Opens on the first record, because most starts of a program never make one. */
export class JsonlAuditLog implements AuditLog {
  #writer: Writer | undefined;
  #opening: Promise<Result<Writer>> | undefined;
  #closed = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #failure: Result<Writer> | undefined;
  /** Records that came while the log could not be opened. */
  #lost = 0;

  constructor(
    private readonly options: AuditLogOptions,
    private readonly redactor: Redactor,
  ) {}

  async intent({ at, call, required }: AuditIntent): Promise<Result<AuditTicket>> {
    const opened = this.#writer === undefined ? await this.#open(at, required) : Result.ok(this.#writer);
    if (!opened.success) return opened;
    const { line, queue } = opened.value;
    const words = line.wording(call);
    const record = () => line.intent(at, words());
    const written = queue.hasRoom ? Result.ok(queue.append(at, record)) : await queue.add(at, record);
    if (!written.success) return written;
    if (required) {
      const durable = await queue.commit();
      if (!durable.success) return durable;
    }
    return Result.ok({ segment: written.value.segment, record: written.value.count, call: words });
  }

  outcome(entry: AuditOutcome): Promise<Result<undefined>> {
    return this.#take(entry.at, (line) => recordOf(line, entry));
  }

  connection(entry: AuditConnection): Promise<Result<undefined>> {
    return this.#take(entry.at, (line) => () => line.connection(entry));
  }

  #take(at: number, record: RecordMaker): Promise<Result<undefined>> {
    const writer = this.#writer;
    // The way of nearly every call: no promise is made and nothing is awaited.
    if (writer?.queue.hasRoom) {
      writer.queue.append(at, record(writer.line));
      return RECORDED;
    }
    return this.#takeSlowly(at, record);
  }

  /** Resolves for a log that cannot be written as well: the call says so when it is recorded. */
  room(at: number): Promise<unknown> | undefined {
    if (this.#writer === undefined) return this.#open(at);
    return this.#writer.queue.isFull ? this.#writer.queue.commit() : undefined;
  }

  problem(): string | undefined {
    if (this.#writer !== undefined) return this.#writer.queue.problem;
    return this.#failure === undefined || this.#failure.success ? undefined : this.#failure.error;
  }

  async flush(): Promise<Result<undefined>> {
    return this.#writer === undefined ? Result.ok(undefined) : this.#writer.queue.commit();
  }

  async close(): Promise<Result<undefined>> {
    this.#closed = true;
    await this.#opening;
    const writer = this.#writer;
    this.#writer = undefined;
    const closed = writer === undefined ? Result.ok(undefined) : await writer.queue.close();
    await this.options.stream?.close();
    return closed;
  }

  async #takeSlowly(at: number, record: RecordMaker): Promise<Result<undefined>> {
    const opened = await this.#open(at);
    if (!opened.success) {
      this.#lost += 1;
      return opened;
    }
    const { line, queue } = opened.value;
    const written = await queue.add(at, record(line));
    return written.success ? Result.ok(undefined) : written;
  }

  /** After a failure it is not tried for each record again, unless a call depends on it. */
  async #open(at: number, isNeeded = false): Promise<Result<Writer>> {
    if (this.#closed)
      return Result.failure('The audit log is closed; the server is stopping.', 'AuditClosed');
    if (this.#writer !== undefined) return Result.ok(this.#writer);
    const justFailed = Math.abs(at - this.#failedAt) < RETRY_OPEN_MS;
    if (this.#failure !== undefined && justFailed && !isNeeded) return this.#failure;
    this.#opening ??= this.#start(at).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #start(at: number): Promise<Result<Writer>> {
    const writer = await openWriter(this.options, this.redactor, at, this.#lost);
    const wasFailing = this.#failure !== undefined;
    if (writer.success) {
      this.#writer = writer.value;
      this.#failure = undefined;
      this.#lost = 0;
    } else {
      this.#failure = writer;
      this.#failedAt = at;
    }
    if (wasFailing === writer.success) this.options.onDisk?.(this.problem());
    return writer;
  }
}

type RecordMaker = (line: AuditLine) => () => string;

function recordOf(line: AuditLine, { at, call, outcome, ticket }: AuditOutcome): () => string {
  const words = ticket?.call ?? line.wording(call);
  return () => line.outcome(at, words(), outcome, ticket);
}

async function openWriter(
  options: AuditLogOptions,
  redactor: Redactor,
  at: number,
  lost: number,
): Promise<Result<Writer>> {
  const state = await openStateFolder(options.stateFolder);
  if (!state.success) return state;
  const key = await openAuditKey(state.value);
  if (!key.success) return key;
  const seal = new AuditSeal(key.value);
  const line = new AuditLine(seal, redactor, options);
  const folder = join(state.value, 'audit');
  const keep = options.keep ?? retentionOf({});
  const segment = (time: string, previous: SegmentLink | undefined) => {
    const name = segmentName(time, process.pid);
    return new AuditSegment(folder, name, seal, time, previous, (lines) => options.stream?.send(lines));
  };
  try {
    const newest = await newestSegment(folder, seal);
    const queue = new AuditQueue(
      {
        first: (time) => segment(time, newest),
        next: (time, last) => segment(time, last.position),
        retire: () =>
          retireSegments(folder, keep, seal, Date.now()).then(
            () => undefined,
            (error: unknown) =>
              options.onProblem?.(`Old audit segments could not be removed: ${messageOf(error)}`),
          ),
        report: (problem) => options.onDisk?.(problem),
      },
      line,
      {
        segmentBytes: options.segmentBytes ?? 8 * 2 ** 20,
        flushAfterMs: options.flushAfterMs ?? 500,
        queueBytes: options.queueBytes ?? 4 * 2 ** 20,
      },
      at,
      lost,
    );
    return Result.ok({ line, queue });
  } catch (error) {
    return Result.failure(
      `The audit log cannot be opened in ${folder}: ${messageOf(error)}. ` +
        'Make the folder writable for this user.',
      'AuditUnavailable',
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
