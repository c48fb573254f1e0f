import type { Identity } from '../process/command-identity.js';
import { DiskAccount } from '../process/disk-account.js';
import { CommandSession, type SessionPrograms } from './command-session.js';

interface Wanted {
  readonly id: string;
  readonly identity: Identity;
  readonly maxProcesses: number;
}

/** The sessions that have run a command. Each begins with its first one. */
export class CommandSessions {
  readonly #open = new Map<string, Promise<CommandSession>>();
  /** Not in the session itself, which is begun anew when its holder ends. */
  readonly #disks = new Map<string, DiskAccount>();

  constructor(private readonly programs: SessionPrograms) {}

  /** One that has ended is begun anew. */
  async of(wanted: Wanted): Promise<CommandSession> {
    const key = keyOf(wanted);
    const known = this.#open.get(key);
    if (known !== undefined) {
      const session = await known.catch(() => undefined);
      if (session !== undefined && !session.isOver) return session;
      if (this.#open.get(key) === known) this.#open.delete(key);
      return this.of(wanted);
    }
    const opened = CommandSession.open(wanted.identity, this.programs, wanted.maxProcesses);
    this.#open.set(key, opened);
    opened.catch(() => this.#open.delete(key));
    return opened;
  }

  diskOf(id: string): DiskAccount {
    const known = this.#disks.get(id) ?? new DiskAccount();
    this.#disks.set(id, known);
    return known;
  }

  async end(id: string): Promise<void> {
    this.#disks.delete(id);
    await this.release(id);
  }

  /** What it has written still counts when it is begun anew. */
  async release(id: string): Promise<void> {
    const keys = [...this.#open.keys()].filter((key) => key.slice(key.indexOf(' ') + 1) === id);
    await Promise.all(keys.map((key) => this.#end(key)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((key) => this.#end(key)));
  }

  async #end(key: string): Promise<void> {
    const opened = this.#open.get(key);
    this.#open.delete(key);
    const session = await opened?.catch(() => undefined);
    await session?.end();
  }
}

function keyOf({ id, identity: { uid, gid } }: Wanted): string {
  return `${uid}:${gid} ${id}`;
}
