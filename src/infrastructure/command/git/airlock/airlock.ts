import { chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandSandbox, SandboxBind } from '../../../../application/ports/command/command-sandbox.js';
import { whileLocked } from '../../../state/locked-file.js';
import { commandIdentity } from '../../process/command-identity.js';
import type { ChangeTracker } from '../../workspace/change-tracker.js';
import type { AirlockPlace, CarryReport, CarryWork } from '../carrier/carrier-messages.js';
import { SEEN_REAL } from '../carrier/seen-real.js';
import { look } from '../git-files.js';
import { CarrierProcess } from './carrier-process.js';
import { GitFolderWatch } from './git-folder-watch.js';

/** git writes several files in a row. */
const DEBOUNCE_MS = 20;
const BUSY_MS = 100;
const LOCK_WAIT_MS = 60_000;
/** What carrying itself has changed is looked at once more; no more often than this. */
const MOST_ROUNDS = 3;

export interface AirlockParts {
  readonly sandbox: Pick<CommandSandbox, 'run'>;
  readonly tracker: ChangeTracker;
  readonly place: AirlockPlace;
  /** A command has just made it, and it is yet to be adopted. */
  readonly isMade?: boolean;
}

/** A command that has not been answered. */
interface LiveUser {
  readonly end: (why: string) => void;
  readonly tell: (report: CarryReport) => void;
}

/**
 * One repository of which commands have a private git folder. Data passes between the two: before a command what the user did,
 * after it and while it runs what it did.
 */
export class Airlock {
  readonly #process: CarrierProcess;
  readonly #users = new Set<LiveUser>();
  #watches: readonly GitFolderWatch[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #identity: string | undefined;
  /** Commands that are not over yet. */
  #running = 0;
  #isWaiting = false;

  constructor(private readonly parts: AirlockParts) {
    const { place, sandbox } = parts;
    mkdirSync(place.state, { recursive: true, mode: 0o700 });
    giveTo(place.state, place.workspace);
    const around = parts.isMade ? place.workspace : place.real;
    this.#process = new CarrierProcess(sandbox, [around, place.state], join(place.state, 'home'));
  }

  get place(): AirlockPlace {
    return this.parts.place;
  }

  get real(): string {
    return this.place.real;
  }

  get binds(): readonly SandboxBind[] {
    const { real, private: inside } = this.parts.place;
    return [
      { path: real, source: inside },
      { path: SEEN_REAL, source: real, isReadOnly: true },
    ];
  }

  /** Before a command: both sides are as one. */
  async before(): Promise<readonly CarryReport[]> {
    await this.parts.tracker.drain();
    const isSame = this.#identity === identityOf(this.parts.place.real);
    if (isSame && !this.#hasChanged && existsSync(this.parts.place.private)) return [];
    if (!isSame) this.#forget();
    return this.#carry();
  }

  /** Until the function returned is called, what a command does passes at once. It answers with what was done since. */
  begin(end: (why: string) => void): () => Promise<readonly CarryReport[]> {
    const reports: CarryReport[] = [];
    const user = { end, tell: (report: CarryReport) => reports.push(report) };
    this.#users.add(user);
    this.#running += 1;
    this.#identity ??= identityOf(this.parts.place.real);
    return async () => {
      await this.parts.tracker.drain();
      this.#running -= 1;
      await this.#last;
      if (this.#hasChanged)
        await this.#carry().catch((error: unknown) => void reports.push(...asReport(error)));
      this.#users.delete(user);
      return reports;
    };
  }

  /** A git folder that a command made becomes the private one; a clean one takes its place. */
  async adopt(): Promise<readonly CarryReport[]> {
    const work = this.#last.then(() => this.#ask('adopt'));
    this.#last = work.catch(() => undefined);
    try {
      return [await work, ...(await this.#carry())];
    } catch (error) {
      return asReport(error);
    }
  }

  /** For people, while no command of this server runs. */
  async ask(work: CarryWork, tip?: string): Promise<CarryReport> {
    const answer = this.#last.then(() => this.#ask(work, tip));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** The user may have put another git folder in the place: the private one is no longer mounted over it then. */
  checkReal(): void {
    if (this.#identity === undefined || this.#identity === identityOf(this.parts.place.real)) return;
    this.#identity = undefined;
    for (const { end } of this.#users)
      end(
        `${this.parts.place.real} was replaced as a whole, so the command could have written to the new one.`,
      );
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#last.catch(() => undefined);
    this.#forget();
    this.#process.close();
  }

  get #hasChanged(): boolean {
    return (
      this.#isWaiting || this.#watches.length === 0 || this.#watches.some(({ hasChanged }) => hasChanged)
    );
  }

  #forget(): void {
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
  }

  #soon(ms = DEBOUNCE_MS): void {
    if (this.#running === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#running === 0) return;
      this.#carry().then(
        () => {
          if (this.#isWaiting) this.#soon(BUSY_MS);
        },
        // The end of the command tries again, and tells.
        () => undefined,
      );
    }, ms).unref();
  }

  /** Until nothing is left to be carried; everybody whose command has not been answered hears of it. */
  #carry(): Promise<readonly CarryReport[]> {
    const work = this.#last.then(async () => {
      const reports: CarryReport[] = [];
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const report = await this.#carryOnce();
        reports.push(report);
        if (!(report.changed || report.busy) || this.#running > 0) break;
        if (report.busy) await sleep(BUSY_MS);
      }
      return reports;
    });
    this.#last = work.catch(() => undefined);
    return work;
  }

  async #carryOnce(): Promise<CarryReport> {
    for (const watch of this.#watches) watch.clear();
    // Until it is done, and where it fails, there is something to carry.
    this.#isWaiting = true;
    const report = await this.#ask('sync');
    this.#isWaiting = report.busy;
    for (const { tell } of this.#users) tell(report);
    this.#watch();
    await this.parts.tracker.drain();
    return report;
  }

  #watch(): void {
    const { place, tracker } = this.parts;
    this.#identity ??= identityOf(place.real);
    if (this.#watches.length > 0) return;
    this.#watches = [place.real, place.private].map(
      (folder) => new GitFolderWatch(tracker, folder, () => this.#soon()),
    );
  }

  /** Servers of the same user take turns. */
  async #ask(work: CarryWork, tip?: string): Promise<CarryReport> {
    const { place } = this.parts;
    const carrying = join(place.state, 'carrying');
    const done = await whileLocked(carrying, LOCK_WAIT_MS, () =>
      this.#process.ask({
        work,
        place,
        isLive: this.#running > 0,
        ...(tip !== undefined && { tip }),
      }),
    );
    if (done === undefined)
      throw new Error(`another server has held ${carrying}.lock for a minute; look whether one hangs`);
    return done.value;
  }
}

/** The command has run; what it did waits inside. */
function asReport(error: unknown): readonly CarryReport[] {
  const why = error instanceof Error ? error.message : String(error);
  const note = `git's data could not be carried to the user's git folder, and waits for the next command: ${why}`;
  const nothing = { changed: false, busy: true, conflicts: [], inside: [], commits: 0, unsigned: false };
  return [{ ...nothing, notes: [note] }];
}

/** Of a root server: to whom the commands' work belongs. */
function giveTo(folder: string, workspace: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = commandIdentity(workspace);
  if (statSync(folder).uid !== uid) chownSync(folder, uid, gid);
}

function identityOf(folder: string): string | undefined {
  const found = look(folder);
  return found?.isDirectory() ? `${found.dev}.${found.ino}` : undefined;
}
