import type { HostNetwork } from '../../../application/ports/command/host-network.js';
import { type NetworkOptions, SessionNetwork } from './session-network.js';

/** Of one session, in which no command runs any more: they are opened anew when one comes. */
const MOST_UNUSED = 4;

/** What a command holds of a network by host. */
export interface NetworkMembership {
  readonly net: number;
  leave(): void;
}

/** The networks of one session: one for each grant, because commands that share a loopback share what one of them may reach. */
export class SessionNetworks {
  readonly #open = new Map<string, Promise<SessionNetwork>>();
  #isClosed = false;

  constructor(private readonly options: NetworkOptions) {}

  /** Throws NetworkNotOpened. */
  async join(member: HostNetwork): Promise<NetworkMembership> {
    const { key } = member.access;
    const opening = this.#open.get(key) ?? SessionNetwork.open(member.access, this.options);
    this.#open.delete(key);
    this.#open.set(key, opening);
    const network = await opening.catch((error: unknown) => {
      if (this.#open.get(key) === opening) this.#open.delete(key);
      throw error;
    });
    // The session ended meanwhile: whoever joins it now is told so by the session.
    if (this.#isClosed) network.close();
    const leave = network.join(member);
    await this.#closeUnused();
    return { net: network.net, leave };
  }

  close(): void {
    this.#isClosed = true;
    for (const opening of this.#open.values())
      opening.then(
        (network) => network.close(),
        // Whoever wanted it was told.
        () => undefined,
      );
    this.#open.clear();
  }

  async #closeUnused(): Promise<void> {
    const unused: string[] = [];
    for (const [key, opening] of this.#open) {
      const network = await opening.catch(() => undefined);
      if (network?.isUsed === false) unused.push(key);
    }
    for (const key of unused.slice(0, Math.max(0, unused.length - MOST_UNUSED))) {
      const opening = this.#open.get(key);
      const network = await opening;
      if (network === undefined || network.isUsed) continue;
      this.#open.delete(key);
      network.close();
    }
  }
}
