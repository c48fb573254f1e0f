import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { readForeignFileSync } from '../state/foreign-file.js';
import { LockedFile } from '../state/locked-file.js';
import { openStateFolder } from '../state/state-folder.js';
import { approvalFolder, pinPath } from './approval-door.js';

const SHORTEST = 6;
const LONGEST = 128;
/** 64 MiB and about a quarter of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const;
const KEY_BYTES = 32;
const MAX_BYTES = 4096;
/** So many wrong ones in a row, then one try in each rest. */
const FREE_TRIES = 5;
const REST_MS = 15 * 60_000;

/** What is kept of a PIN: nothing from which it can be had but by guessing. */
interface KeptPin {
  readonly salt: string;
  /** The digest of the key that scrypt makes of PIN and salt. */
  readonly verifier: string;
}

/** The PIN by which a person shows that it is them who answers a question outside of the client. */
export class PinFile {
  readonly #folder: string;
  readonly #pin: LockedFile;
  readonly #tries: LockedFile;

  constructor(
    private readonly stateFolder: string,
    private readonly now: () => number = Date.now,
  ) {
    this.#folder = approvalFolder(stateFolder);
    this.#pin = new LockedFile(pinPath(stateFolder));
    this.#tries = new LockedFile(join(this.#folder, 'tries.json'));
  }

  isSet(): boolean {
    return existsSync(this.#pin.path);
  }

  /** The one before has to be unlocked first, by whoever calls. */
  async set(pin: string): Promise<Result<undefined>> {
    if (pin.length < SHORTEST || pin.length > LONGEST)
      return Result.failure(
        `A PIN has ${SHORTEST} to ${LONGEST} characters; got ${pin.length}.`,
        'InvalidPin',
      );
    const state = await openStateFolder(this.stateFolder);
    if (!state.success) return state;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const salt = randomBytes(16).toString('base64url');
    const kept: KeptPin = { salt, verifier: digest(await keyOf(pin, salt)) };
    const written = await this.#pin.change((replace) => replace(JSON.stringify(kept)));
    if (written === undefined)
      return Result.failure('Another process is setting a PIN. Try again.', 'PinBusy');
    await this.#tries.change((replace) => replace(JSON.stringify({ wrong: 0, at: 0 })));
    return Result.ok(undefined);
  }

  /** The key that answers questions, for the right PIN. Wrong ones are counted over all processes of this user. */
  async unlock(pin: string): Promise<Result<string>> {
    const kept = this.#read();
    if (kept === undefined) return Result.failure(NO_PIN, 'NoPin');
    // Counted before it is tried: a process that is killed meanwhile has had its try.
    const counted = await this.#tries.change(async (replace) => {
      const { wrong, at } = this.#readTries();
      const waitMs = wrong < FREE_TRIES ? 0 : at + REST_MS - this.now();
      if (waitMs > 0) return waitMs;
      await replace(JSON.stringify({ wrong: wrong + 1, at: this.now() }));
      return 0;
    });
    if (counted === undefined) return Result.failure('Another process tries a PIN. Try again.', 'PinBusy');
    if (counted.value > 0) return Result.failure(resting(counted.value), 'PinResting');
    const key = await keyOf(pin.slice(0, LONGEST + 1), kept.salt);
    if (!same(digest(key), kept.verifier)) return Result.failure('This is not the PIN.', 'WrongPin');
    await this.#tries.change((replace) => replace(JSON.stringify({ wrong: 0, at: 0 })));
    return Result.ok(key);
  }

  /** Whether this is the key of the PIN that is set now. */
  opens(key: string): boolean {
    const kept = this.#read();
    return kept !== undefined && same(digest(key), kept.verifier);
  }

  #read(): KeptPin | undefined {
    const kept = this.#json(this.#pin.path);
    const { salt, verifier } = kept ?? {};
    return typeof salt === 'string' && typeof verifier === 'string' ? { salt, verifier } : undefined;
  }

  /** What cannot be read counts as many wrong ones, just now. */
  #readTries(): { readonly wrong: number; readonly at: number } {
    const { wrong, at } = this.#json(this.#tries.path) ?? {};
    return typeof wrong === 'number' && typeof at === 'number'
      ? { wrong, at }
      : { wrong: FREE_TRIES, at: existsSync(this.#tries.path) ? this.now() : 0 };
  }

  #json(path: string): Readonly<Record<string, unknown>> | undefined {
    const file = readForeignFileSync(path, { maxBytes: MAX_BYTES, links: 'nowhere' });
    if (file.kind !== 'bytes') return undefined;
    try {
      const value: unknown = JSON.parse(file.bytes.toString('utf8'));
      return isJsonObject(value) ? value : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

export const NO_PIN = 'No PIN is set. Set one with `castellan approve --set-pin`.';

function resting(waitMs: number): string {
  return `Too many wrong PINs. Try again in ${Math.ceil(waitMs / 60_000)} min.`;
}

function keyOf(pin: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(pin.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) =>
      error === null ? resolve(key.toString('base64url')) : reject(error),
    );
  });
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function same(first: string, second: string): boolean {
  const [one, other] = [Buffer.from(first), Buffer.from(second)];
  return one.length === other.length && timingSafeEqual(one, other);
}
