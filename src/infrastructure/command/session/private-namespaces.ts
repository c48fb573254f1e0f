import type { Identity } from '../process/command-identity.js';
import { type NamespacePrograms, SessionNamespaces } from './session-namespaces.js';

/** The user namespaces of commands that have no session, one set for each identity. */
export class PrivateNamespaces {
  readonly #open = new Map<string, Promise<SessionNamespaces>>();

  constructor(private readonly programs: NamespacePrograms) {}

  of(identity: Identity): Promise<SessionNamespaces> {
    const key = `${identity.uid}:${identity.gid}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opened = SessionNamespaces.open(identity, this.programs);
    this.#open.set(key, opened);
    opened.catch(() => this.#open.delete(key));
    return opened;
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const opened of await Promise.allSettled(all))
      if (opened.status === 'fulfilled') opened.value.close();
  }
}
