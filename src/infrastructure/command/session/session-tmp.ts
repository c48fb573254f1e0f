import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../process/process-starter.js';
import { isAlive, ownIdentity, processPlace } from '../../state/process-identity.js';

/** One of another machine or container, whose server cannot be looked at from here. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 60 * 60_000;
const REMOVE_MS = 60_000;

/**
 * The folders that sessions see as /tmp. Each server has one folder with its own name around them, so that the next
 * one can tell what a killed server left.
 */
export class SessionTmp {
  readonly #own: string;
  readonly #made = new Set<string>();
  #isPrepared = false;

  constructor(private readonly folder: string) {
    this.#own = join(folder, ownName());
  }

  of(session: string): string {
    this.#prepare();
    const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
    const path = join(this.#own, name);
    this.#made.add(session);
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async remove(session: string): Promise<void> {
    if (!this.#made.delete(session)) return;
    await removeTree(this.of(session));
    this.#made.delete(session);
  }

  async close(): Promise<void> {
    if (this.#isPrepared) await removeTree(this.#own);
    this.#isPrepared = false;
  }

  /** What killed servers left goes; nobody waits for it. */
  #prepare(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    mkdirSync(this.#own, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      if (path !== this.#own && isForgotten(path, name)) void removeTree(path);
    }
  }
}

/** Of this process, on this start of this machine: numbers of processes are used again. */
function ownName(): string {
  return `${ownIdentity()}-${place()}`;
}

function place(): string {
  return createHash('sha256').update(processPlace()).digest('hex').slice(0, 12);
}

function isForgotten(path: string, name: string): boolean {
  const [pid = '', started = '', where = ''] = name.split('-');
  if (where === place()) return !isAlive(`${pid}-${started}`);
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > FORGOTTEN_AFTER_MS;
}

/** By programs: they go through folders that are deeper than a path can be, and open those that were closed. */
async function removeTree(path: string): Promise<void> {
  const remove = (): Promise<void> => run('rm', ['-rf', '--', path]);
  await remove();
  if (!existsSync(path)) return;
  await run('chmod', ['-R', 'u+rwX', '--', path]);
  await remove();
}

/** What could not be removed is tried again by the next server. */
async function run(program: string, args: readonly string[]): Promise<void> {
  await runProgram(program, args, { timeoutMs: REMOVE_MS, env: { PATH: '/usr/bin:/bin' } });
}
