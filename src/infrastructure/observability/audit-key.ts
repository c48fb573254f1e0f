import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';
import { hasErrno } from '../state/errno.js';
import { readForeignFile } from '../state/foreign-file.js';

const KEY = /^[0-9a-f]{64}$/;
const MAX_KEY_BYTES = 1024;

/** The key of the audit chain; a failure of type AuditKeyMissing where there is none yet. */
export async function readAuditKey(stateFolder: string): Promise<Result<string>> {
  const path = join(stateFolder, 'audit.key');
  const file = await readForeignFile(path, { maxBytes: MAX_KEY_BYTES, links: 'anywhere' });
  if (file.kind === 'missing')
    return Result.failure(
      `There is no audit key at ${path}: nothing was recorded yet, or it was removed.`,
      'AuditKeyMissing',
    );
  if (file.kind === 'refused')
    return refuse(`${path} cannot be read (${file.why})`, 'check its owner and its mode');
  const { mode, uid } = file.status;
  if ((mode & 0o077) !== 0) return refuse(`${path} can be read by others`, `run: chmod 600 ${path}`);
  const user = process.getuid?.();
  if (user !== undefined && uid !== user) return refuse(`${path} belongs to another user`, 'remove it');
  const key = file.bytes.toString('latin1').trimEnd();
  return KEY.test(key)
    ? Result.ok(key)
    : refuse(`${path} is not a key of 64 hexadecimal characters`, 'restore it from a backup');
}

/** The key, made on first use. Two processes that start at once agree on one: a link is made or exists. */
export async function openAuditKey(stateFolder: string): Promise<Result<string>> {
  const found = await readAuditKey(stateFolder);
  if (found.success || found.errorType !== 'AuditKeyMissing') return found;
  const draft = join(stateFolder, `audit.key.${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, join(stateFolder, 'audit.key')).catch((error: unknown) => {
      if (!hasErrno(error, 'EEXIST')) throw error;
    });
    await unlink(draft);
  } catch (error) {
    // It may be what could not be made.
    await unlink(draft).catch(() => undefined);
    return refuse(`no audit key could be made in ${stateFolder} (${messageOf(error)})`, 'check the folder');
  }
  return readAuditKey(stateFolder);
}

function refuse(what: string, remedy: string): Result<string> {
  return Result.failure(`The audit key is not usable: ${what}; ${remedy}.`, 'AuditKeyUnusable');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
