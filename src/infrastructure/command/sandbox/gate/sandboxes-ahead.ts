import { setTimeout as sleep } from 'node:timers/promises';
import { BETWEEN_COMMANDS_MS } from '../../process/between-commands.js';
import type { CommandSession } from '../../session/command-session.js';
import type { WaitingSandbox } from './waiting-sandbox.js';

/** So that it is in the way of neither the answer nor a command that follows at once. */
const DELAY_MS = 20;
/** Of all sessions together; who has waited longest goes first. */
const MOST = 8;

/**
 * At most one sandbox for each session stands ready for its next command. It is bound to the session, its user and the
 * view of the command before; it holds nothing else of it.
 */
export class SandboxesAhead {
  readonly #waiting = new Map<CommandSession, Ahead>();
  #isClosed = false;

  /** Sets one up in the background, unless there is one. What goes wrong is told to the command that needs it. */
  prepare(
    session: CommandSession,
    id: string | undefined,
    make: () => Promise<WaitingSandbox | undefined>,
  ): void {
    if (this.#isClosed || session.isOver || this.#waiting.has(session)) return;
    const ahead = new Ahead(id, make, () => {
      if (this.#waiting.get(session) === ahead) this.#waiting.delete(session);
    });
    this.#waiting.set(session, ahead);
    const [oldest] = this.#waiting.values();
    if (this.#waiting.size > MOST) void oldest?.end();
  }

  /** Whoever takes it owns it. One that does not suit is ended, since the next one will not want it either. */
  async take(
    session: CommandSession,
    suits: (sandbox: WaitingSandbox) => boolean,
  ): Promise<WaitingSandbox | undefined> {
    return this.#waiting.get(session)?.take(suits);
  }

  /** Those of the sessions with this name. */
  async end(id: string): Promise<void> {
    const its = [...this.#waiting.values()].filter((ahead) => ahead.id === id);
    await Promise.all(its.map((ahead) => ahead.end()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#waiting.values()].map((ahead) => ahead.end()));
  }
}

class Ahead {
  readonly #made: Promise<WaitingSandbox | undefined>;
  readonly #timer: NodeJS.Timeout;
  #isWanted = true;
  #isBegun = false;

  constructor(
    readonly id: string | undefined,
    make: () => Promise<WaitingSandbox | undefined>,
    private readonly onOver: () => void,
  ) {
    this.#timer = setTimeout(() => void this.end(), BETWEEN_COMMANDS_MS).unref();
    this.#made = sleep(DELAY_MS, undefined, { ref: false })
      .then(() => {
        this.#isBegun = this.#isWanted;
        return this.#isWanted ? make() : undefined;
      })
      .catch(() => undefined);
    void this.#made.then((sandbox) => {
      sandbox?.unref();
      void sandbox?.exited.then(() => this.end());
    });
  }

  async take(suits: (sandbox: WaitingSandbox) => boolean): Promise<WaitingSandbox | undefined> {
    if (!this.#isBegun) {
      this.#release();
      return undefined;
    }
    const sandbox = await this.#made;
    if (sandbox === undefined || !this.#isWanted) return undefined;
    if (sandbox.hasEnded || !suits(sandbox)) {
      void this.end();
      return undefined;
    }
    this.#release();
    sandbox.ref();
    return sandbox;
  }

  /** Resolves when nothing of it is left; nothing happens to one that was taken. */
  async end(): Promise<void> {
    if (!this.#isWanted) return;
    this.#release();
    if (!this.#isBegun) return;
    const sandbox = await this.#made;
    await sandbox?.end();
  }

  #release(): void {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    this.onOver();
  }
}
