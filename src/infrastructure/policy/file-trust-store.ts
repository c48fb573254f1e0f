import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrustStanding, TrustStore } from '../../application/ports/permission/trust-store.js';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { hasErrno } from '../state/errno.js';
import { readForeignFile } from '../state/foreign-file.js';
import { LockedFile } from '../state/locked-file.js';
import { openStateFolder } from '../state/state-folder.js';

interface TrustedFiles {
  /** The content that was accepted last, by real path. */
  readonly latest: Readonly<Record<string, string>>;
  /** Those before it, the newest first. */
  readonly earlier: Readonly<Record<string, readonly string[]>>;
}

const NOTHING: TrustedFiles = { latest: {}, earlier: {} };
const MAX_EARLIER = 16;

const MAX_FILE_BYTES = 256 * 1024;
const MAX_STORE_BYTES = 16 * 1024 * 1024;
const HASH = /^sha256:[0-9a-f]{64}$/;

export class FileTrustStore implements TrustStore {
  /** The file that changes whenever something is trusted. */
  readonly path: string;
  readonly #file: LockedFile;

  constructor(private readonly stateFolder: string) {
    this.path = join(stateFolder, 'trust.json');
    this.#file = new LockedFile(this.path);
  }

  async isTrusted(path: string, bytes: Uint8Array): Promise<Result<boolean>> {
    const standing = await this.standing(path, bytes);
    return standing.success ? Result.ok(standing.value === 'trusted') : standing;
  }

  async standing(path: string, bytes: Uint8Array): Promise<Result<TrustStanding>> {
    const files = await this.#read();
    if (!files.success) return files;
    try {
      const real = await realpath(path);
      const { latest, earlier } = files.value;
      if (!Object.hasOwn(latest, real)) return Result.ok('unknown');
      const accepted = [latest[real], ...(earlier[real] ?? [])];
      return Result.ok(accepted.includes(hashOf(bytes)) ? 'trusted' : 'changed');
    } catch (error) {
      return unusable(path, error);
    }
  }

  async knows(path: string): Promise<Result<boolean>> {
    const files = await this.#read();
    if (!files.success) return files;
    try {
      return Result.ok(Object.hasOwn(files.value.latest, await realpath(path)));
    } catch {
      // Missing, or behind links that lead nowhere: nobody accepted that.
      return Result.ok(false);
    }
  }

  async trust(...paths: readonly string[]): Promise<Result<readonly string[]>> {
    const folder = await openStateFolder(this.stateFolder);
    if (!folder.success) return folder;
    const accepted: [string, string][] = [];
    for (const path of paths) {
      const entry = await hashed(path);
      if (!entry.success) return entry;
      accepted.push(entry.value);
    }
    try {
      const changed = await this.#file.change(async (replace) => {
        const files = await this.#read();
        if (!files.success) return files;
        await replace(printed(accepted.reduce(withAccepted, files.value)));
        return Result.ok(accepted.map(([, hash]) => hash));
      });
      if (changed === undefined) throw new Error(`${this.path} is held by another process all the time`);
      return changed.value;
    } catch (error) {
      return Result.failure(
        `The state folder ${this.stateFolder} cannot be written (${reasonOf(error)}). ` +
          'Make it a folder that you can write, or set XDG_STATE_HOME to a folder of your own.',
        'TrustUnavailable',
      );
    }
  }

  async #read(): Promise<Result<TrustedFiles>> {
    const stored = await readForeignFile(this.path, { maxBytes: MAX_STORE_BYTES, links: 'anywhere' });
    if (stored.kind === 'missing') return Result.ok(NOTHING);
    if (stored.kind === 'refused') return unusable(this.path, stored.why);
    const { uid, mode } = stored.status;
    const user = process.getuid?.();
    // Whoever can write the store decides what is trusted.
    if ((user !== undefined && uid !== user) || (mode & 0o022) !== 0) return this.#damaged();
    const files = parseTrustedFiles(stored.bytes.toString('utf8'));
    return files === undefined ? this.#damaged() : Result.ok(files);
  }

  #damaged(): Result<TrustedFiles> {
    return Result.failure(
      `The trust store ${this.path} is damaged, or others can write it. ` +
        'Remove it, then run castellan trust for each file again.',
      'TrustStoreDamaged',
    );
  }
}

function printed({ latest, earlier }: TrustedFiles): string {
  return `${JSON.stringify({ version: 1, files: latest, earlier }, undefined, 2)}\n`;
}

function parseTrustedFiles(text: string): TrustedFiles | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (!isJsonObject(stored) || stored.version !== 1 || !isHashes(stored.files)) return undefined;
    const { files: latest, earlier = {} } = stored;
    return isHistory(earlier) ? { latest, earlier } : undefined;
  } catch {
    // No JSON: the same to the caller as JSON of another shape.
    return undefined;
  }
}

function isHashes(files: unknown): files is TrustedFiles['latest'] {
  return isJsonObject(files) && Object.values(files).every(isHash);
}

function isHistory(files: unknown): files is TrustedFiles['earlier'] {
  return (
    isJsonObject(files) && Object.values(files).every((list) => Array.isArray(list) && list.every(isHash))
  );
}

function isHash(hash: unknown): boolean {
  return typeof hash === 'string' && HASH.test(hash);
}

function withAccepted(
  { latest, earlier }: TrustedFiles,
  [path, hash]: readonly [string, string],
): TrustedFiles {
  const before = [latest[path], ...(earlier[path] ?? [])].flatMap((known) => known ?? []);
  const history = [...new Set(before)].filter((known) => known !== hash).slice(0, MAX_EARLIER);
  return {
    latest: { ...latest, [path]: hash },
    earlier: history.length === 0 ? earlier : { ...earlier, [path]: history },
  };
}

/** The real path of a file and the hash of what it holds. */
async function hashed(path: string): Promise<Result<[string, string]>> {
  try {
    const real = await realpath(path);
    const file = await readForeignFile(real, { maxBytes: MAX_FILE_BYTES, links: 'nowhere' });
    if (file.kind === 'bytes') return Result.ok([real, hashOf(file.bytes)]);
    const why = file.kind === 'missing' ? 'there is no such file' : file.why;
    return Result.failure(`${path} cannot be trusted: ${why}.`, 'TrustRefused');
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) return unusable(path, error);
    return Result.failure(`${path} cannot be trusted: there is no such file.`, 'TrustRefused');
  }
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function unusable(path: string, error: unknown): Result<never> {
  return Result.failure(`${path} cannot be used: ${reasonOf(error)}.`, 'TrustUnavailable');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
