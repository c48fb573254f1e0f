/** Somewhere that takes records. */
export interface RecordReceiver {
  /** Resolves when they are delivered. Rejects with PermanentRefusal where sending them again is of no use. */
  deliver(records: readonly string[]): Promise<void>;
  close(): void;
}

/** These records will never be taken; others may be. */
export class PermanentRefusal extends Error {}

export interface StreamOptions {
  /** Characters that wait while nobody takes them. */
  readonly waiting?: number;
  readonly retryMs?: number;
  /** How long the end of the server waits for the last records. */
  readonly lastMs?: number;
  /** Hears why records are not taken, and without a reason when they are again. */
  readonly report: (problem: string | undefined, missed: number) => void;
}

const WAITING = 4 * 2 ** 20;
const BATCH = 500;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const LAST_MS = 2_000;

/**
 * Passes records on in their order. It never holds up a call: what the receiver does not take in time is left out from
 * the oldest on, counted and said; the log on the disk has it.
 */
export class AuditStream {
  #queue: string[] = [];
  #size = 0;
  #missed = 0;
  #failures = 0;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly receiver: RecordReceiver,
    private readonly options: StreamOptions,
  ) {}

  /** Whole lines, as they stand on the disk. */
  send(lines: string): void {
    for (const line of lines.split('\n')) {
      if (line === '') continue;
      this.#queue.push(line);
      this.#size += line.length;
    }
    this.#bound();
    this.#go();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#go();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.lastMs ?? LAST_MS);
    });
    await Promise.race([this.#sending, late]);
    clearTimeout(timer);
    this.#closed = true;
    clearTimeout(this.#timer);
    this.receiver.close();
    const missed = this.#missed + this.#queue.length;
    if (missed > 0) this.options.report('The server ends.', missed);
  }

  #bound(): void {
    let dropped = 0;
    for (const limit = this.options.waiting ?? WAITING; this.#size > limit; dropped += 1)
      this.#size -= this.#queue[dropped]?.length ?? this.#size;
    if (dropped === 0) return;
    this.#queue = this.#queue.slice(dropped);
    this.#missed += dropped;
  }

  #go(): void {
    if (this.#sending !== undefined || this.#timer !== undefined || this.#closed) return;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#closed) {
      const batch = this.#queue.splice(0, BATCH);
      this.#size -= lengthOf(batch);
      try {
        await this.receiver.deliver(batch);
        this.#delivered();
      } catch (error) {
        if (error instanceof PermanentRefusal) this.#missed += batch.length;
        else this.#again(batch);
        this.#failed(error);
        if (!(error instanceof PermanentRefusal)) return;
      }
    }
  }

  #delivered(): void {
    if (this.#failures === 0 && this.#missed === 0) return;
    this.options.report(undefined, this.#missed);
    this.#failures = 0;
    this.#missed = 0;
  }

  #again(batch: readonly string[]): void {
    this.#queue = [...batch, ...this.#queue];
    this.#size += lengthOf(batch);
    this.#bound();
    const pause = Math.min((this.options.retryMs ?? FIRST_RETRY_MS) * 2 ** this.#failures, LONGEST_RETRY_MS);
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#go();
    }, pause);
    this.#timer.unref();
  }

  #failed(error: unknown): void {
    if (this.#failures === 0)
      this.options.report(error instanceof Error ? error.message : String(error), this.#missed);
    this.#failures = Math.min(this.#failures + 1, 16);
  }
}

function lengthOf(batch: readonly string[]): number {
  return batch.reduce((sum, line) => sum + line.length, 0);
}
