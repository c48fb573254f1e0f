import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditVerification, VerifyAuditHandler } from '../../src/application/audit/verify-audit.js';
import type { AuditedCall, AuditOutcome } from '../../src/domain/audit/audit-record.js';
import { FileAuditReader } from '../../src/infrastructure/observability/file-audit-reader.js';
import {
  type AuditLogOptions,
  JsonlAuditLog,
} from '../../src/infrastructure/observability/jsonl-audit-log.js';
import { builtinRedactor } from '../../src/infrastructure/observability/redaction.js';

export const START = Date.UTC(2025, 0, 2, 3, 4, 5);

export function auditedCall(changes: Partial<AuditedCall> = {}): AuditedCall {
  return {
    correlationId: 'c-1',
    sessionId: 's-1',
    caller: { id: 'local', transport: 'stdio' },
    tool: 'echo',
    arguments: { message: 'hello' },
    argumentDetail: 'hashed',
    decision: { effect: 'allow', rule: 'permissions.yaml:3:5' },
    ...changes,
  };
}

export function auditOutcome(index: number, changes: Partial<AuditedCall> = {}): AuditOutcome {
  const call = auditedCall({ correlationId: `c-${index}`, ...changes });
  return { at: START + index, call, outcome: { kind: 'success', durationMs: 1.5, bytes: 12 } };
}

/** A state folder of its own, removed with remove(). */
export class AuditFixture {
  private constructor(readonly root: string) {}

  static async create(): Promise<AuditFixture> {
    return new AuditFixture(await mkdtemp(join(tmpdir(), 'castellan-audit-')));
  }

  get state(): string {
    return join(this.root, 'state');
  }

  get folder(): string {
    return join(this.state, 'audit');
  }

  log(options: Partial<AuditLogOptions> = {}): JsonlAuditLog {
    return new JsonlAuditLog({ stateFolder: this.state, ...options }, builtinRedactor);
  }

  /** Writes and closes one segment of `count` records after its header. */
  async write(count: number, from = 0): Promise<void> {
    const log = this.log();
    for (let index = 0; index < count; index += 1) await log.outcome(auditOutcome(from + index));
    await log.close();
  }

  async segments(): Promise<readonly string[]> {
    return (await readdir(this.folder))
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(this.folder, name));
  }

  async segment(): Promise<string> {
    const [first] = await this.segments();
    if (first === undefined) throw new Error('there is no segment');
    return first;
  }

  async verify(file?: string): Promise<AuditVerification> {
    const handler = new VerifyAuditHandler(new FileAuditReader(this.state));
    const verified = await handler.handle(file === undefined ? {} : { file });
    if (!verified.success) throw new Error(verified.error);
    return verified.value;
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}
