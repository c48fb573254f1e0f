import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditHead } from '../../domain/audit/audit-head-state.js';
import { linkOfHeader } from '../../domain/audit/segment-check.js';
import { Result } from '../../domain/result.js';
import { hasErrno, reasonOf } from '../state/errno.js';
import { readForeignFile } from '../state/foreign-file.js';
import { firstBytes, isWritten, listSegments, retireSegments, storedSegments } from './audit-folder.js';
import { AuditHeadFile, readAuditHead } from './audit-head.js';
import { readAuditKey } from './audit-key.js';
import { AuditSeal } from './audit-seal.js';

/** Segments are of 8 MiB and one record. */
const MAX_SEGMENT = 64 * 2 ** 20;

interface OpenedLog {
  readonly folder: string;
  readonly seal: AuditSeal;
}

/** Moves whole segments out of the log that nobody writes any more. `before` is milliseconds since 1970. */
export class AuditArchive {
  constructor(private readonly stateFolder: string) {}

  /** Copies segments with their heads into a folder, and answers with their names. What is there already stays. */
  async export(target: string, before: number): Promise<Result<readonly string[]>> {
    return this.#withLog(async ({ folder, seal }) => {
      await mkdir(target, { recursive: true, mode: 0o700 });
      const exported: string[] = [];
      for (const { name, writtenAt } of await storedSegments(folder)) {
        const head = await readAuditHead(join(folder, `${name}.head`), seal).catch(() => undefined);
        // A damaged head is evidence and goes along as it is.
        if (writtenAt >= before || (head !== undefined && isWritten(name, head))) continue;
        for (const file of [name, `${name}.head`]) await copyOnce(join(folder, file), join(target, file));
        exported.push(name);
      }
      return exported;
    });
  }

  /** Removes segments; of each that another links to, the head stays and says how it ended. */
  prune(before: number, now: number): Promise<Result<readonly string[]>> {
    const everything = { segments: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
    return this.#withLog(({ folder, seal }) =>
      retireSegments(folder, { ...everything, ageMs: now - before }, seal, now),
    );
  }

  /** Notes that the segments before the first one are archived elsewhere, with the seal that their successor saw. */
  acceptMissing(): Promise<Result<readonly string[]>> {
    return this.#withLog(async ({ folder, seal }) => {
      const present = await listSegments(folder);
      const [first] = present;
      const accepted: string[] = [];
      for (const name of present) {
        const link = linkOfHeader(firstBytes(join(folder, name)));
        if (first === undefined || link === undefined || link.segment >= first) continue;
        const path = join(folder, `${link.segment}.head`);
        const head = await readAuditHead(path, seal).catch(() => undefined);
        if (head?.state === 'retired') continue;
        await writeTombstone(path, seal, { ...link, ...head, state: 'retired' });
        accepted.push(link.segment);
      }
      return [...new Set(accepted)];
    });
  }

  async #withLog(work: (log: OpenedLog) => Promise<readonly string[]>): Promise<Result<readonly string[]>> {
    const key = await readAuditKey(this.stateFolder);
    if (!key.success) return key;
    try {
      return Result.ok(
        await work({ folder: join(this.stateFolder, 'audit'), seal: new AuditSeal(key.value) }),
      );
    } catch (error) {
      return Result.failure(`The audit log cannot be archived: ${reasonOf(error)}.`, 'AuditUnavailable');
    }
  }
}

async function writeTombstone(path: string, seal: AuditSeal, head: AuditHead): Promise<void> {
  const file = await AuditHeadFile.reopen(path, seal).catch((error: unknown) => {
    if (!hasErrno(error, 'ENOENT')) throw error;
    return AuditHeadFile.create(path, { seal, first: head });
  });
  await file.write(head).finally(() => file.close());
}

/** On the disk when it returns. A file of the same name must be the same. */
async function copyOnce(from: string, to: string): Promise<void> {
  const bytes = await bytesOf(from);
  let copy: FileHandle;
  try {
    copy = await open(to, 'wx', 0o600);
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error;
    if (bytes.equals(await bytesOf(to))) return;
    throw new Error(`${to} exists and is another file; export into an empty folder`);
  }
  try {
    await copy.writeFile(bytes);
    await copy.sync();
  } finally {
    await copy.close();
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  const file = await readForeignFile(path, { maxBytes: MAX_SEGMENT, links: 'anywhere' });
  if (file.kind === 'bytes') return file.bytes;
  throw new Error(file.kind === 'missing' ? `there is no ${path}` : `${path}: ${file.why}`);
}
