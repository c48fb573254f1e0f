import { createHash, randomBytes } from 'node:crypto';
import { rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';
import { readForeignFile } from '../state/foreign-file.js';
import { openStateFolder, unwritableStateFolder } from '../state/state-folder.js';

const FILE = 'http-token';
const MAX_BYTES = 1024;
const HASH = /^sha256:[0-9a-f]{64}$/;

export interface ServerToken {
  /** `sha256:` and the hash: all that is kept. */
  readonly hash: string;
  /** The token itself, only where it has just been made. */
  readonly made?: string;
}

export function hashOf(token: string): string {
  return `sha256:${createHash('sha256').update(token).digest('hex')}`;
}

/** The token of this user's servers: made by the first start, its hash kept in the state folder. */
export class TokenFile {
  constructor(private readonly stateFolder: string) {}

  async open(): Promise<Result<ServerToken>> {
    const folder = await openStateFolder(this.stateFolder);
    if (!folder.success) return folder;
    const file = await readForeignFile(this.#path, { maxBytes: MAX_BYTES, links: 'nowhere' });
    if (file.kind === 'missing') return this.rotate();
    const kept = file.kind === 'bytes' ? file.bytes.toString('utf8').trim() : '';
    if (HASH.test(kept)) return Result.ok({ hash: kept });
    return Result.failure(
      `${this.#path} does not hold the hash of a token. \`castellan token rotate\` makes another.`,
      'TokenUnreadable',
    );
  }

  /** Makes another token; the one before is worth nothing from here on. */
  async rotate(): Promise<Result<ServerToken>> {
    const folder = await openStateFolder(this.stateFolder);
    if (!folder.success) return folder;
    const made = `cst_${randomBytes(32).toString('base64url')}`;
    const hash = hashOf(made);
    const draft = `${this.#path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(draft, `${hash}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.#path);
    } catch (error) {
      // It may be what could not be made.
      await unlink(draft).catch(() => undefined);
      return unwritableStateFolder(this.stateFolder, error);
    }
    return Result.ok({ hash, made });
  }

  get #path(): string {
    return join(this.stateFolder, FILE);
  }
}
