import { createHash } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
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

  /** A file that is missing, or behind links that lead nowhere, is one that nobody accepted. */
  async standing(path: string, bytes: Uint8Array): Promise<Result<TrustStanding>> {
    const files = await this.#read();
    if (!files.success) return files;
    try {
      const real = await realpath(path);
      const { latest, earlier } = files.value;
      if (!Object.hasOwn(latest, real)) return Result.ok('unknown');
      const accepted = [latest[real], ...(earlier[real] ?? [])];
      return Result.ok(accepted.includes(hashOf(bytes)) ? 'trusted' : 'changed');
    } catch {
      return Result.ok('unknown');
    }
  }

  /** As of its standing, whatever it holds. */
  async knows(path: string): Promise<Result<boolean>> {
    const files = await this.#read();
    if (!files.success) return files;
    try {
      return Result.ok(Object.hasOwn(files.value.latest, await realpath(path)));
    } catch {
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
      const [real, hash, bytes] = entry.value;
      await this.#keepCopy(hash, bytes);
      accepted.push([real, hash]);
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

  /** Every file that was accepted, with the hash of what was accepted last. */
  async list(): Promise<Result<readonly (readonly [path: string, hash: string])[]>> {
    const files = await this.#read();
    return files.success ? Result.ok(Object.entries(files.value.latest)) : files;
  }

  /** What the file held when it was accepted last; undefined where no copy was kept. */
  async accepted(path: string): Promise<string | undefined> {
    const files = await this.#read();
    const hash = files.success ? files.value.latest[await realpath(path).catch(() => path)] : undefined;
    if (hash === undefined) return undefined;
    const copy = await readForeignFile(this.#copy(hash), { maxBytes: MAX_FILE_BYTES, links: 'nowhere' });
    return copy.kind === 'bytes' && hashOf(copy.bytes) === hash ? copy.bytes.toString('utf8') : undefined;
  }

  /** The file is a stranger's again, with every content it had. false: nobody had accepted it. */
  async revoke(path: string): Promise<Result<boolean>> {
    const real = await realpath(path).catch(() => path);
    const changed = await this.#file.change(async (replace) => {
      const files = await this.#read();
      if (!files.success) return files;
      const { [real]: known, ...latest } = files.value.latest;
      const { [real]: _, ...earlier } = files.value.earlier;
      if (known !== undefined) await replace(printed({ latest, earlier }));
      return Result.ok(known !== undefined);
    });
    return changed?.value ?? unusable(this.path, 'it is held by another process all the time');
  }

  #copy(hash: string): string {
    return join(this.stateFolder, 'trusted', hash.replace('sha256:', ''));
  }

  /** For the diff when it changes. Trust does not depend on it, so a full disk is no reason to refuse. */
  async #keepCopy(hash: string, bytes: Uint8Array): Promise<void> {
    await mkdir(join(this.stateFolder, 'trusted'), { recursive: true, mode: 0o700 }).catch(() => undefined);
    await writeFile(this.#copy(hash), bytes, { mode: 0o600 }).catch(() => undefined);
  }

  async #read(): Promise<Result<TrustedFiles>> {
    const stored = await readForeignFile(this.path, { maxBytes: MAX_STORE_BYTES, links: 'anywhere' });
    if (stored.kind === 'missing') return Result.ok(NOTHING);
    if (stored.kind === 'refused') {
      return Result.failure(
        `${this.path} cannot be used: ${stored.why}. Set XDG_STATE_HOME to a folder of your own.`,
        'TrustUnavailable',
      );
    }
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
async function hashed(path: string): Promise<Result<[path: string, hash: string, bytes: Uint8Array]>> {
  try {
    const real = await realpath(path);
    const file = await readForeignFile(real, { maxBytes: MAX_FILE_BYTES, links: 'nowhere' });
    if (file.kind === 'bytes') return Result.ok([real, hashOf(file.bytes), file.bytes]);
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
