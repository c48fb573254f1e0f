import { lstat, mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Logger } from '../../application/ports/system/logger.js';
import { type FlagName, type Flags, type FlagValue, sortFlags } from '../../domain/flag/flag.js';
import { Result } from '../../domain/result.js';
import { announceOwnFile } from '../file/own-files.js';
import { hasErrno, reasonOf } from '../state/errno.js';
import { readForeignFile, strictUtf8 } from '../state/foreign-file.js';
import { LockedFile } from '../state/locked-file.js';
import { parseFlagDocument, printFlagDocument } from './flag-document.js';

interface Change {
  readonly name: FlagName;
  readonly value: FlagValue | undefined;
  readonly done: (outcome: Result<void>) => void;
}

const NONE: Flags = new Map();
/** A thousand flags of maximum size; both scopes are read at every call that depends on a flag. */
export const MAX_FLAG_BYTES = 4 * 1024 * 1024;

/** A file of flags that several processes write. Writes that wait at the same time are written together. */
export class FlagFile {
  readonly #file: LockedFile;
  readonly #queue: Change[] = [];
  #writing = false;
  #lastText: string | undefined;
  #lastGood: Flags | undefined;
  #lastBad: string | undefined;

  constructor(
    readonly path: string,
    /** Shown to callers instead of the path. */
    private readonly title: string,
    /** A directory or file that another process put here as a link could lead anywhere. */
    private readonly refuseLinks: boolean,
    private readonly logger: Logger,
  ) {
    this.#file = new LockedFile(path);
  }

  /** While the file cannot be parsed, its last valid content; a failure if it was never valid. */
  async read(): Promise<Result<Flags>> {
    const flags = await this.#readStrictly();
    if (flags.success || this.#lastGood === undefined || flags.errorType !== 'FlagStoreCorrupt') return flags;
    if (this.#lastBad !== flags.error) {
      this.#lastBad = flags.error;
      this.logger.warn(`${flags.error} Until then the flags last read stay active.`);
    }
    return Result.ok(this.#lastGood);
  }

  update(name: FlagName, value: FlagValue | undefined): Promise<Result<void>> {
    return new Promise((done) => {
      this.#queue.push({ name, value, done });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      const outcome = await this.#locked(batch).catch((error: unknown) => this.#broken('written', error));
      for (const { done } of batch) done(outcome);
    }
    this.#writing = false;
  }

  async #locked(batch: readonly Change[]): Promise<Result<void>> {
    const folder = dirname(this.path);
    announceOwnFile(folder);
    await mkdir(folder, { recursive: true });
    if (this.refuseLinks) await refuseLinks(folder);
    const changed = await this.#file.change((replace) => this.#apply(batch, replace));
    if (changed !== undefined) return changed.value;
    return Result.failure(
      `${this.title} are locked by another process. Nothing was changed; try again.`,
      'FlagStoreUnavailable',
    );
  }

  async #apply(batch: readonly Change[], replace: (text: string) => Promise<void>): Promise<Result<void>> {
    const current = await this.#readStrictly();
    // A file that cannot be parsed is not overwritten: a user may be editing it.
    if (!current.success) return current;
    const next = new Map(current.value);
    for (const { name, value } of batch) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    await replace(printFlagDocument(sortFlags(next)));
    return Result.ok(undefined);
  }

  async #readStrictly(): Promise<Result<Flags>> {
    let text: string | undefined;
    try {
      if (this.refuseLinks) await refuseLinks(dirname(this.path));
      const links = this.refuseLinks ? 'nowhere' : 'anywhere';
      const file = await readForeignFile(this.path, { maxBytes: MAX_FLAG_BYTES, links });
      if (file.kind === 'missing') return Result.ok(NONE);
      if (file.kind === 'refused') return this.#broken('read', new Error(file.why));
      text = strictUtf8(file.bytes);
    } catch (error) {
      return hasErrno(error, 'ENOENT', 'ENOTDIR') ? Result.ok(NONE) : this.#broken('read', error);
    }
    if (text === this.#lastText && this.#lastGood !== undefined) return Result.ok(this.#lastGood);
    const parsed = text === undefined ? NOT_TEXT : parseFlagDocument(text);
    if (!parsed.success) {
      return Result.failure(
        `${this.title} (${basename(this.path)}) cannot be parsed: ${parsed.error}. Repair or remove the file; it was not changed.`,
        'FlagStoreCorrupt',
      );
    }
    this.#lastText = text;
    this.#lastGood = parsed.value;
    this.#lastBad = undefined;
    return parsed;
  }

  #broken(done: 'read' | 'written', error: unknown) {
    return Result.failure(
      `${this.title} (${basename(this.path)}) could not be ${done}: ${reasonOf(error)}. Check that the file and its folder are there for the server's user.`,
      'FlagStoreUnavailable',
    );
  }
}

const NOT_TEXT = Result.failure('it is not UTF-8', 'FlagStoreCorrupt');

async function refuseLinks(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if ((await lstat(path)).isSymbolicLink())
      throw new Error('it is a symbolic link, which is not followed here');
  }
}
