import type { RecordPlace } from '../../domain/audit/audit-chain.js';
import { Result } from '../../domain/result.js';
import type { AuditLine } from './audit-line.js';
import type { AuditSegment } from './audit-segment.js';

export interface SegmentSupply {
  first(time: string): AuditSegment;
  next(time: string, last: AuditSegment): AuditSegment;
  /** Removes what is older than the log may keep; says itself what it could not remove. */
  retire(): Promise<void>;
  /** Hears when the disk takes nothing, and without a problem when it takes records again. */
  report(problem: string | undefined): void;
}

export interface QueueLimits {
  readonly segmentBytes: number;
  readonly flushAfterMs: number;
  readonly queueBytes: number;
}

const COMMIT_EARLY = 2 ** 20;

/** Collects records and brings them to the disk together; callers that wait at the same time share a sync. */
export class AuditQueue {
  #current: AuditSegment;
  #finished: AuditSegment[] = [];
  #running: Promise<Result<undefined>> | undefined;
  #upcoming: Promise<Result<undefined>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting = 0;
  #lost: number;
  #retireDue = true;
  #retiring: Promise<void> | undefined;
  #failure: Result<undefined> | undefined;
  #closing = false;

  constructor(
    private readonly segments: SegmentSupply,
    private readonly line: AuditLine,
    private readonly limits: QueueLimits,
    at: number,
    /** Records that were lost before there was a queue. */
    lost = 0,
  ) {
    this.#lost = lost;
    this.#current = segments.first(line.time(at));
  }

  /** Why the last attempt to bring records to the disk failed; undefined: it did not. */
  get problem(): string | undefined {
    return this.#failure === undefined || this.#failure.success ? undefined : this.#failure.error;
  }

  /** Whether append() may be called without waiting. */
  get hasRoom(): boolean {
    return !this.isFull && this.#lost === 0;
  }

  /** Whether a record has to wait for the disk. */
  get isFull(): boolean {
    return this.#waiting >= this.limits.queueBytes;
  }

  /** Waits for the disk when too much is in memory; fails when the disk takes nothing. */
  async add(at: number, members: () => string): Promise<Result<RecordPlace>> {
    if (this.isFull && this.#failure === undefined) await this.commit();
    if (this.isFull) {
      this.#lost += 1;
      return this.#failure !== undefined && !this.#failure.success
        ? this.#failure
        : Result.failure(
            'The audit log cannot keep up: records are created faster than they can be written.',
            'AuditFull',
          );
    }
    if (this.#lost > 0) {
      const lost = this.#lost;
      this.#lost = 0;
      this.append(at, () => this.line.gap(at, lost));
    }
    return Result.ok(this.append(at, members));
  }

  append(at: number, members: () => string): RecordPlace {
    if (this.#current.size >= this.limits.segmentBytes) this.#roll(at);
    const before = this.#current.size;
    const place = this.#current.append(members);
    this.#waiting += this.#current.size - before;
    if (this.#waiting >= COMMIT_EARLY && this.#running === undefined) void this.commit();
    else if (this.#timer === undefined) this.#commitSoon(this.limits.flushAfterMs);
    return place;
  }

  /** One commit runs at a time; whoever asks while it runs shares the one after it. */
  commit(): Promise<Result<undefined>> {
    this.#upcoming ??= (this.#running ?? Promise.resolve()).then(() => {
      this.#upcoming = undefined;
      this.#running = this.#commitAll().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    });
    return this.#upcoming;
  }

  async close(): Promise<Result<undefined>> {
    this.#closing = true;
    this.#current.finish();
    const result = await this.commit();
    clearTimeout(this.#timer);
    await this.#retiring;
    if (result.success) return result;
    const unwritten = [...this.#finished, this.#current];
    const lost = unwritten.reduce((sum, segment) => sum + segment.pending, this.#lost);
    for (const segment of unwritten) await segment.release();
    return Result.failure(`${result.error} ${lost} records are lost.`, result.errorType);
  }

  #roll(at: number): void {
    const last = this.#current;
    last.finish();
    this.#finished.push(last);
    this.#current = this.segments.next(this.line.time(at), last);
    this.#retireDue = true;
  }

  #commitSoon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.commit(), ms);
  }

  async #commitAll(): Promise<Result<undefined>> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      for (let oldest = this.#finished[0]; oldest !== undefined; oldest = this.#finished[0]) {
        await oldest.commit();
        this.#finished.shift();
      }
      await this.#current.commit();
      this.#settle(undefined);
      if (this.#retireDue) {
        this.#retireDue = false;
        this.#retiring = this.segments.retire();
      }
      return Result.ok(undefined);
    } catch (error) {
      const failure = unwritable(error);
      this.#settle(failure);
      if (!this.#closing) this.#commitSoon(this.limits.flushAfterMs);
      return failure;
    } finally {
      const unwritten = [...this.#finished, this.#current];
      this.#waiting = unwritten.reduce((sum, segment) => sum + segment.waiting, 0);
    }
  }

  #settle(failure: Result<undefined> | undefined): void {
    const changed = (this.#failure === undefined) !== (failure === undefined);
    this.#failure = failure;
    if (changed) this.segments.report(this.problem);
  }
}

function unwritable(error: unknown): Result<undefined> {
  return Result.failure(
    `The audit log cannot be written: ${error instanceof Error ? error.message : String(error)}. ` +
      'Free space on the disk of the state folder, or make it writable.',
    'AuditUnavailable',
  );
}
