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

  constructor(
    private readonly folder: string,
    readonly name: string,
    private readonly seal: AuditSeal,
    time: string,
    previous: SegmentLink | undefined,
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

  /** Records first, head second: a head must never promise more than the disk holds. */
  async commit(): Promise<void> {
    // The commit before this one may have found the segment finished already.
    if (this.#closed) return;
    const file = await this.#opened();
    const { count, seal } = this.position;
    const waiting = this.#lines.take();
    this.#taken += waiting.length;
    this.#unwritten = this.#unwritten.length === 0 ? waiting : Buffer.concat([this.#unwritten, waiting]);
    const sealed = this.#sealed;
    while (this.#unwritten.length > 0) {
      const { bytesWritten } = await file.write(this.#unwritten);
      this.#unwritten = this.#unwritten.subarray(bytesWritten);
    }
    await file.datasync();
    await this.#head?.write({ segment: this.name, state: sealed ? 'closed' : 'open', count, seal });
    if (!sealed) return;
    this.#closed = true;
    await this.release();
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

  /** The head comes first, so that a segment without one has been tampered with. */
  async #opened(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    const path = join(this.folder, this.name);
    if (this.#head === undefined) {
      this.#head = await AuditHeadFile.create(`${path}.head`, this.seal);
      await this.#head.write({ segment: this.name, state: 'open', ...CHAIN_START });
    }
    this.#file = await open(path, 'ax', 0o600);
    const folder = await open(this.folder, 'r');
    await folder.sync().finally(() => folder.close());
    return this.#file;
  }
}
