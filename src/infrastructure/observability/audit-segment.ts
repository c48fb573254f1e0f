import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CHAIN_START,
  type RecordPlace,
  type SegmentLink,
  segmentHeader,
} from '../../domain/audit/audit-chain.js';
import { AuditHeadFile } from './audit-head.js';
import type { AuditSeal } from './audit-seal.js';
import { SealedLines } from './sealed-lines.js';

/**
 * One file of the log, written by one process. Records are chained as they come and wait in memory for
 * commit(); what could not be written stays, and the next commit goes on where the last one stopped.
 */
export class AuditSegment {
  #count = CHAIN_START.count;
  readonly #lines: SealedLines;
  #unwritten: Buffer = Buffer.alloc(0);
  /** Bytes that have left the lines. */
  #taken = 0;
  #sealed = false;
  #closed = false;
  #head: AuditHeadFile | undefined;
  #file: FileHandle | undefined;
  /** What is certain to be on the disk. */
  #durable = CHAIN_START;
  /** How many records the head says wait for the disk. */
  #admitted = 0;

  constructor(
    private readonly folder: string,
    readonly name: string,
    private readonly seal: AuditSeal,
    time: string,
    previous: SegmentLink | undefined,
    /** Gets the lines as they go to the disk. */
    private readonly onLines?: (lines: string) => void,
  ) {
    this.#lines = new SealedLines(seal.seal);
    this.#add(() => segmentHeader(name, time, previous));
  }

  /** Bytes in the segment, written or not; about, as long as some wait for their words. */
  get size(): number {
    return this.#taken + this.#lines.length;
  }

  get waiting(): number {
    return this.#lines.length + this.#unwritten.length;
  }

  /** Records that are not certain to be on the disk. */
  get pending(): number {
    return this.#count - this.#durable.count;
  }

  get position(): SegmentLink {
    return { segment: this.name, count: this.#count, seal: this.#lines.last };
  }

  get sealed(): boolean {
    return this.#sealed;
  }

  /** `members` is the record without its number and braces, beginning with a comma. */
  append(members: () => string): RecordPlace {
    const number = this.#count + 1;
    this.#add(() => `{"n":${number}${members()}`);
    return { segment: this.name, count: this.#count };
  }

  /** Nothing is appended any more; the next commit closes the file. */
  finish(): void {
    this.#sealed = true;
  }

  /**
   * Records first, head second: a head must never promise more than the disk holds. If the disk takes nothing, the head,
   * which has its place on it already, says how many records wait: they are lost if this process ends now.
   */
  async commit(): Promise<void> {
    // The commit before this one may have found the segment finished already.
    if (this.#closed) return;
    try {
      await this.#write();
    } catch (error) {
      await this.#admit(this.pending);
      throw error;
    }
    if (!this.#closed) return;
    await this.release();
  }

  async #write(): Promise<void> {
    const file = await this.#opened();
    // Together with the lines: records that came while the file was being opened are among them.
    const { count, seal } = this.position;
    const waiting = this.#lines.take();
    this.#taken += waiting.length;
    if (waiting.length > 0) this.onLines?.(waiting.toString());
    this.#unwritten = this.#unwritten.length === 0 ? waiting : Buffer.concat([this.#unwritten, waiting]);
    const sealed = this.#sealed;
    while (this.#unwritten.length > 0) {
      const { bytesWritten } = await file.write(this.#unwritten);
      this.#unwritten = this.#unwritten.subarray(bytesWritten);
    }
    await file.datasync();
    await this.#head?.write({ segment: this.name, state: sealed ? 'closed' : 'open', count, seal });
    this.#durable = { count, seal };
    this.#admitted = 0;
    this.#closed = sealed;
  }

  async #admit(unwritten: number): Promise<void> {
    if (unwritten === this.#admitted) return;
    try {
      await this.#head?.write({ segment: this.name, state: 'open', ...this.#durable, unwritten });
      this.#admitted = unwritten;
    } catch {
      // The disk takes not even this; that the records could not be written is told by the caller.
    }
  }

  async release(): Promise<void> {
    await Promise.all([this.#file?.close(), this.#head?.close()]);
    this.#file = undefined;
    this.#head = undefined;
  }

  #add(body: () => string): void {
    this.#lines.add(body);
    this.#count += 1;
  }

  /** The head comes first and is whole, so that a segment without one has been tampered with. */
  async #opened(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    const path = join(this.folder, this.name);
    this.#head ??= await AuditHeadFile.create(`${path}.head`, {
      seal: this.seal,
      first: { segment: this.name, state: 'open', ...CHAIN_START },
    });
    this.#file = await open(path, 'ax', 0o600);
    const folder = await open(this.folder, 'r');
    await folder.sync().finally(() => folder.close());
    return this.#file;
  }
}
