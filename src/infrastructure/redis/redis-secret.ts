import { randomBytes } from 'node:crypto';
import { link, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';
import { hasErrno } from '../state/errno.js';
import { readForeignFile } from '../state/foreign-file.js';
import { openStateFolder } from '../state/state-folder.js';

const FILE = 'redis-secret';
const MAX_BYTES = 1024;
const LEAST_CHARACTERS = 32;

/** What instances prove each other with: as it is given, or made once and kept in the state folder. */
export async function openRedisSecret(
  stateFolder: string,
  given: string | undefined,
): Promise<Result<string>> {
  if (given !== undefined && given !== '') {
    return given.length < LEAST_CHARACTERS
      ? Result.failure(
          `CASTELLAN_REDIS_SECRET must have at least ${LEAST_CHARACTERS} characters: it must not be guessable.`,
          'InvalidSecret',
        )
      : Result.ok(given);
  }
  const folder = await openStateFolder(stateFolder);
  if (!folder.success) return folder;
  const path = join(stateFolder, FILE);
  return (await readSecret(path)) ?? makeSecret(path);
}

async function readSecret(path: string): Promise<Result<string> | undefined> {
  const file = await readForeignFile(path, { maxBytes: MAX_BYTES, links: 'nowhere' });
  if (file.kind === 'missing') return undefined;
  const kept = file.kind === 'bytes' ? file.bytes.toString('utf8').trim() : '';
  return kept.length >= LEAST_CHARACTERS
    ? Result.ok(kept)
    : Result.failure(`${path} does not hold a secret. Remove it, and another is made.`, 'InvalidSecret');
}

/** Of several that start at once, one makes it. */
async function makeSecret(path: string): Promise<Result<string>> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return (await readSecret(path)) ?? Result.failure(`${path} cannot be kept.`, 'InvalidSecret');
}
