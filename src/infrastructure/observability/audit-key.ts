import { randomBytes } from 'node:crypto';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';

const KEY = /^[0-9a-f]{64}$/;

/** The key of the audit chain; a failure of type AuditKeyMissing where there is none yet. */
export async function readAuditKey(stateFolder: string): Promise<Result<string>> {
  const path = join(stateFolder, 'audit.key');
  try {
    const { mode, uid } = await stat(path);
    if ((mode & 0o077) !== 0) return refuse(`${path} can be read by others`, `run: chmod 600 ${path}`);
    const user = process.getuid?.();
    if (user !== undefined && uid !== user) return refuse(`${path} belongs to another user`, 'remove it');
    const key = (await readFile(path, 'latin1')).trimEnd();
    return KEY.test(key)
      ? Result.ok(key)
      : refuse(`${path} is not a key of 64 hexadecimal characters`, 'restore it from a backup');
  } catch (error) {
    if (isCode(error, 'ENOENT'))
      return Result.failure(
        `There is no audit key at ${path}: nothing was recorded yet, or it was removed.`,
        'AuditKeyMissing',
      );
    return refuse(`${path} cannot be read (${messageOf(error)})`, 'check its owner and its mode');
  }
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
      if (!isCode(error, 'EEXIST')) throw error;
    });
    await unlink(draft);
  } catch (error) {
    return refuse(`no audit key could be made in ${stateFolder} (${messageOf(error)})`, 'check the folder');
  }
  return readAuditKey(stateFolder);
}

function refuse(what: string, remedy: string): Result<string> {
  return Result.failure(`The audit key is not usable: ${what}; ${remedy}.`, 'AuditKeyUnusable');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
