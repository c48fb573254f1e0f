import { inject, injectable } from 'inversify';
import type {
  SessionChange,
  SessionDirectory,
  SharedSession,
} from '../../application/ports/session/session-directory.js';
import { Clock } from '../../application/ports/system/clock.js';
import { Result } from '../../domain/result.js';

interface Entry {
  session: SharedSession;
  usedAt: number;
}

/** For an instance that is alone: nobody else changes or ends anything. */
@injectable()
export class InMemorySessionDirectory implements SessionDirectory {
  readonly #sessions = new Map<string, Entry>();

  constructor(@inject(Clock) private readonly clock: Clock) {}

  async add(session: SharedSession): Promise<Result<void>> {
    this.#sessions.set(session.id, { session, usedAt: this.clock.elapsed() });
    return Result.ok(undefined);
  }

  async get(id: string): Promise<Result<SharedSession | undefined>> {
    return Result.ok(this.#sessions.get(id)?.session);
  }

  async change(id: string, change: SessionChange): Promise<Result<void>> {
    const entry = this.#sessions.get(id);
    if (entry !== undefined) entry.session = { ...entry.session, ...change };
    return Result.ok(undefined);
  }

  async claim(id: string, from: string, to: string): Promise<Result<string | undefined>> {
    const entry = this.#sessions.get(id);
    if (entry?.session.owner === from) entry.session = { ...entry.session, owner: to };
    return Result.ok(entry?.session.owner);
  }

  async keep(ids: readonly string[]): Promise<Result<readonly string[]>> {
    const usedAt = this.clock.elapsed();
    const gone = ids.filter((id) => {
      const entry = this.#sessions.get(id);
      if (entry !== undefined) entry.usedAt = usedAt;
      return entry === undefined;
    });
    return Result.ok(gone);
  }

  async endIdle(id: string, idleMs: number): Promise<Result<boolean>> {
    const entry = this.#sessions.get(id);
    if (entry !== undefined && this.clock.elapsed() - entry.usedAt < idleMs) return Result.ok(false);
    this.#sessions.delete(id);
    return Result.ok(true);
  }

  async end(id: string): Promise<Result<void>> {
    this.#sessions.delete(id);
    return Result.ok(undefined);
  }

  onNotice(): void {
    // There is nobody to hear of.
  }
}
