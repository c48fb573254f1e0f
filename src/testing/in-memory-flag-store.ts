import type { FlagStore } from '../application/ports/flag/flag-store.js';
import { type FlagName, type FlagScope, type Flags, type FlagValue, sortFlags } from '../domain/flag/flag.js';
import { Result } from '../domain/result.js';

/** Flags that live as long as the object. */
export class InMemoryFlagStore implements FlagStore {
  readonly #flags: Readonly<Record<FlagScope, Map<string, FlagValue>>>;
  readonly #listeners = new Set<(scope: FlagScope) => void>();
  #outage: string | undefined;

  constructor(flags: Partial<Readonly<Record<FlagScope, Readonly<Record<string, FlagValue>>>>> = {}) {
    this.#flags = {
      project: new Map(Object.entries(flags.project ?? {})),
      global: new Map(Object.entries(flags.global ?? {})),
    };
  }

  /** From now on everything fails with this reason, undefined ends it; listeners are told to look, as after an outage. */
  breakWith(reason: string | undefined): void {
    this.#outage = reason;
    this.#tell('project');
    this.#tell('global');
  }

  async all(scope: FlagScope): Promise<Result<Flags>> {
    if (this.#outage !== undefined) return Result.failure(this.#outage, 'FlagStoreUnavailable');
    return Result.ok(sortFlags(structuredClone([...this.#flags[scope]])));
  }

  async set(scope: FlagScope, name: FlagName, value: FlagValue | undefined): Promise<Result<void>> {
    if (this.#outage !== undefined) return Result.failure(this.#outage, 'FlagStoreUnavailable');
    if (value === undefined) this.#flags[scope].delete(name);
    else this.#flags[scope].set(name, structuredClone(value));
    this.#tell(scope);
    return Result.ok(undefined);
  }

  onChange(listener: (scope: FlagScope) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #tell(scope: FlagScope): void {
    for (const listener of this.#listeners) listener(scope);
  }
}
