import type { Identity } from '../process/command-identity.js';
import { type NamespacePrograms, SessionNamespaces } from './session-namespaces.js';

/** User namespaces of a command that has no session. */
export interface NamespaceLease {
  /** Owns the mounts. */
  readonly setup: number;
  /** In which the command runs, where that is another one. */
  readonly command: number | undefined;
  /** `isEmpty`: the command ended by itself, so nothing is still dying in there. */
  release(isEmpty: boolean): void;
}

/**
 * An ordinary user's commands share the namespace of the set-up, in which he is user 0, as mount(8) insists on; each has one
 * inside of it in which he is himself again. A root server makes one for each command.
 */
export class PrivateNamespaces {
  #shared: Promise<SessionNamespaces> | undefined;

  constructor(private readonly programs: NamespacePrograms) {}

  async take(identity: Identity): Promise<NamespaceLease> {
    if (this.programs.isRoot) {
      const own = await SessionNamespaces.open(identity, this.programs);
      return { setup: own.setup, command: undefined, release: () => own.close() };
    }
    this.#shared ??= SessionNamespaces.open(identity, this.programs);
    const users = await this.#shared;
    const command = await users.take();
    return { setup: users.setup, command, release: (isEmpty) => users.giveBack(command, isEmpty) };
  }

  async close(): Promise<void> {
    const shared = await this.#shared?.catch(() => undefined);
    shared?.close();
  }
}
