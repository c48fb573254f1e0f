import type { HostConnection } from '../../../application/ports/command/host-network.js';

const MOST_KINDS = 1024;
const OTHERS = 'others';

/**
 * Passes the first refusal of each kind on at once, and says at the end how often the others came, if that was more than once:
 * programs ask for every name twice and try again, and no command can fill the log with it.
 */
export class RefusalCount {
  readonly #counts = new Map<string, { readonly last: HostConnection; times: number }>();

  constructor(private readonly report: (connection: HostConnection) => void) {}

  take(connection: HostConnection): void {
    if (connection.outcome === 'reached') {
      this.report(connection);
      return;
    }
    const { host, port, why } = connection;
    const own = `${host} ${port} ${why}`;
    const isKnown = this.#counts.has(own);
    const key = isKnown || this.#counts.size < MOST_KINDS ? own : OTHERS;
    const counted = this.#counts.get(key);
    if (counted !== undefined) {
      counted.times += 1;
      return;
    }
    const last = key === OTHERS ? { ...connection, host: OTHERS } : connection;
    this.#counts.set(key, { last, times: 0 });
    this.report(last);
  }

  close(): void {
    for (const { last, times } of this.#counts.values()) if (times > 1) this.report({ ...last, times });
    this.#counts.clear();
  }
}
