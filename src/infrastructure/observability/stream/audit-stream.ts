/** A server that takes records. */
export interface RecordReceiver {
  /** Resolves when they are delivered. Rejects with PermanentRefusal if sending them again is of no use. */
  deliver(records: readonly string[]): Promise<void>;
  close(): void;
}

/** The receiver will never take these records; it may take others. */
export class PermanentRefusal extends Error {
  constructor(
    message: string,
    /** How many of the batch it does not take; default: all. */
    readonly refused?: number,
  ) {
    super(message);
  }
}

export interface StreamOptions {
  /** Characters of records that wait for the receiver at most. */
  readonly waiting?: number;
  readonly retryMs?: number;
  /** How long the end of the server waits for the last records. */
  readonly lastMs?: number;
  /** Called with the reason when records are not taken, and without one when they are again. */
  readonly report: (problem: string | undefined, missed: number) => void;
}

const WAITING = 4 * 2 ** 20;
const BATCH = 500;
const BATCH_SIZE = 2 ** 19;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const MOST_FAILURES = 16;
const LAST_MS = 2_000;

/**
 * Passes records on in their order and never holds up a call. If the receiver is too slow, the oldest waiting records are
 * left out, counted and reported; the log on the disk has them.
 */
export class AuditStream {
  #queue: string[] = [];
  #size = 0;
  /** Records of the batch that is on its way. */
  #sent = 0;
  #missed = 0;
  #failures = 0;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly receiver: RecordReceiver,
    private readonly options: StreamOptions,
  ) {}

  /** Takes whole lines, as they stand on the disk. */
  send(lines: string): void {
    for (const line of lines.split('\n')) {
      if (line === '') continue;
      this.#queue.push(line);
      this.#size += line.length;
    }
    this.#bound();
    this.#go();
  }

  /** Tries once more to deliver what waits, for a limited time. */
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
    const missed = this.#missed + this.#sent + this.#queue.length;
    if (missed > 0) this.options.report('the server ends', missed);
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
      const batch = this.#next();
      try {
        await this.receiver.deliver(batch);
        if (!this.#closed) this.#delivered();
      } catch (error) {
        if (this.#closed) return;
        this.#failed(error, batch);
        if (!(error instanceof PermanentRefusal)) return;
      } finally {
        if (!this.#closed) this.#sent = 0;
      }
    }
  }

  #next(): readonly string[] {
    let size = 0;
    let count = 0;
    for (const line of this.#queue) {
      if (count === BATCH || (count > 0 && size + line.length > BATCH_SIZE)) break;
      count += 1;
      size += line.length;
    }
    this.#size -= size;
    this.#sent = count;
    return this.#queue.splice(0, count);
  }

  #delivered(): void {
    if (this.#failures === 0 && this.#missed === 0) return;
    this.options.report(undefined, this.#missed);
    this.#failures = 0;
    this.#missed = 0;
  }

  #failed(error: unknown, batch: readonly string[]): void {
    if (error instanceof PermanentRefusal) this.#missed += error.refused ?? batch.length;
    else this.#again(batch);
    if (this.#failures === 0)
      this.options.report(error instanceof Error ? error.message : String(error), this.#missed);
    this.#failures = Math.min(this.#failures + 1, MOST_FAILURES);
  }

  #again(batch: readonly string[]): void {
    this.#queue = [...batch, ...this.#queue];
    this.#size += batch.reduce((sum, line) => sum + line.length, 0);
    this.#bound();
    const pause = Math.min((this.options.retryMs ?? FIRST_RETRY_MS) * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#go();
    }, pause);
    this.#timer.unref();
  }
}
