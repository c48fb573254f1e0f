import type { FileHandle } from 'node:fs/promises';
import { open, readFile } from 'node:fs/promises';
import { sealedEnd } from '../../domain/audit/audit-chain.js';
import { type AuditHead, parseAuditHead } from '../../domain/audit/audit-head-state.js';
import type { AuditSeal } from './audit-seal.js';

const SLOT = 384;

/**
 * The small file beside a segment that says how many records it has. Two slots are written in turn: a power
 * failure in the middle of one leaves the other.
 */
export class AuditHeadFile {
  #turn = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly seal: AuditSeal,
  ) {}

  static async create(path: string, seal: AuditSeal): Promise<AuditHeadFile> {
    return new AuditHeadFile(await open(path, 'wx', 0o600), seal);
  }

  static async reopen(path: string, seal: AuditSeal): Promise<AuditHeadFile> {
    return new AuditHeadFile(await open(path, 'r+'), seal);
  }

  async write(head: AuditHead): Promise<void> {
    const body = JSON.stringify(head).slice(0, -1);
    const line = body + sealedEnd(this.seal.seal('head', body)).trimEnd();
    await this.file.write(`${line.padEnd(SLOT - 1)}\n`, this.#turn * SLOT, 'latin1');
    await this.file.datasync();
    this.#turn = 1 - this.#turn;
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** undefined where neither slot holds a head that was sealed with this key. */
export async function readAuditHead(path: string, seal: AuditSeal): Promise<AuditHead | undefined> {
  const heads = (await readFile(path, 'latin1'))
    .split('\n')
    .map((line) => parseAuditHead(line.trimEnd(), seal.seal))
    .filter((head) => head !== undefined);
  return heads.reduce<AuditHead | undefined>(
    (best, head) => (best !== undefined && rank(best) > rank(head) ? best : head),
    undefined,
  );
}

function rank(head: AuditHead): number {
  return head.count * 3 + ['open', 'closed', 'retired'].indexOf(head.state);
}
