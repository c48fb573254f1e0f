import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { sealedEnd } from '../../domain/audit/audit-chain.js';
import { type AuditHead, parseAuditHead } from '../../domain/audit/audit-head-state.js';
import { readForeignFile } from '../state/foreign-file.js';
import type { AuditSeal } from './audit-seal.js';

/** One sector, which a disk writes whole or not at all: a damaged head is never an accident. */
const SECTOR = 512;
const MAX_HEAD_BYTES = 16 * SECTOR;

/**
 * The small file beside a segment that says how many records it has. It holds one value only: an older one
 * beside it would be an invitation to cut the segment back to it.
 */
export class AuditHeadFile {
  private constructor(
    private readonly file: FileHandle,
    private readonly seal: AuditSeal,
  ) {}

  /** Leaves no file if its first content cannot be written: an empty one is all that a crash leaves. */
  static async create(
    path: string,
    { seal, first }: { readonly seal: AuditSeal; readonly first: AuditHead },
  ): Promise<AuditHeadFile> {
    const head = new AuditHeadFile(await open(path, 'wx', 0o600), seal);
    try {
      await head.write(first);
      return head;
    } catch (error) {
      await head.close();
      await unlink(path);
      throw error;
    }
  }

  static async reopen(path: string, seal: AuditSeal): Promise<AuditHeadFile> {
    return new AuditHeadFile(await open(path, 'r+'), seal);
  }

  async write(head: AuditHead): Promise<void> {
    const body = JSON.stringify(head).slice(0, -1);
    const line = body + sealedEnd(this.seal.seal('head', body)).trimEnd();
    await this.file.write(`${line.padEnd(SECTOR - 1)}\n`, 0, 'latin1');
    await this.file.datasync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** undefined where the file holds no head that was sealed with this key. */
export async function readAuditHead(path: string, seal: AuditSeal): Promise<AuditHead | undefined> {
  const file = await readForeignFile(path, { maxBytes: MAX_HEAD_BYTES, links: 'anywhere' });
  return file.kind === 'bytes'
    ? parseAuditHead(file.bytes.toString('latin1').trimEnd(), seal.seal)
    : undefined;
}
