import type { InstanceFacts } from '../../application/ports/system/shared-state.js';
import { isJsonObject } from '../../domain/json-value.js';
import { BEAT, STORE_SCHEMA } from './join-scripts.js';
import type { RedisConnections } from './redis-connections.js';
import { reasonOf } from './redis-fault.js';

/** An instance that has not been heard of for so long is gone. */
const LEASE_MS = 6000;

/** That this instance is alive, which it tells the others again and again, and what they tell of themselves. */
export class InstanceLease {
  #until = Number.NEGATIVE_INFINITY;
  #skewMs = 0;
  #fault: string | undefined;
  #instances: readonly InstanceFacts[] = [];

  constructor(
    private readonly instance: string,
    private readonly version: string,
  ) {}

  /** Whether the others still take us for alive: what only one instance may do is ours to do. */
  get isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** Why it could not be renewed last; undefined where it could. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** How far this machine's clock is behind the one of Redis. */
  get skewMs(): number {
    return this.#skewMs;
  }

  /** All that were alive when we last told that we are, this one among them. */
  get instances(): readonly InstanceFacts[] {
    return this.#instances;
  }

  /** `keys`: the store's record, this instance, all instances. Throws where Redis cannot be asked. */
  async renew(connections: RedisConnections, keys: readonly string[], storeId: string): Promise<void> {
    const asked = performance.now();
    const told = JSON.stringify({ version: this.version, schema: STORE_SCHEMA, skewMs: this.#skewMs });
    let answer: unknown;
    try {
      answer = await connections.run(BEAT, keys, [storeId, LEASE_MS, told, this.instance]);
    } catch (error) {
      this.#fault = reasonOf(error);
      throw error;
    }
    this.#fault = undefined;
    const [time, ...facts] = Array.isArray(answer) ? answer.map(String) : [];
    this.#until = asked + LEASE_MS;
    this.#skewMs = Math.round(Number(time) - Date.now() + (performance.now() - asked) / 2);
    this.#instances = factsOf(facts);
  }
}

/** A name and what it tells, in turn. */
function factsOf(answer: readonly string[]): readonly InstanceFacts[] {
  return answer.flatMap((instance, place) => {
    const told: unknown = place % 2 === 0 ? JSON.parse(answer[place + 1] ?? '0') : undefined;
    if (!isJsonObject(told)) return [];
    return [{ instance, version: String(told.version), skewMs: Number(told.skewMs) }];
  });
}
