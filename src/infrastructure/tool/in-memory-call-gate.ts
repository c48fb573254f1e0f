import { inject, injectable } from 'inversify';
import type { CallBudget } from '../../application/call/call-budget.js';
import type { Cancellation } from '../../application/call/cancellation.js';
import type { CallGate, CallSlot } from '../../application/ports/tool/call-gate.js';
import { RateLimits } from '../../application/ports/tool/rate-limits.js';
import { Result } from '../../domain/result.js';
import { describeRate, raisedRate } from '../../domain/tool/rate-words.js';
import { callCancelled, type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import type { ToolName } from '../../domain/tool/tool-name.js';

const MAX_LANES = 10_000;
/** Calls that wait for a place, for each place there is. */
const WAITING_PER_PLACE = 4;

interface Waiter {
  admit(): void;
}

/** The calls under way of one caller to one tool, or of all callers where they share a rate. */
interface Lane {
  running: number;
  readonly waiting: Set<Waiter>;
}

@injectable()
export class InMemoryCallGate implements CallGate {
  readonly #lanes = new Map<string, Lane>();

  constructor(@inject(RateLimits) private readonly rates: RateLimits) {}

  async enter(
    caller: string,
    tool: ToolName,
    budget: CallBudget,
    cancellation: Cancellation,
  ): Promise<Result<CallSlot, ToolError>> {
    if (cancellation.reason !== undefined) return toolFailure(callCancelled());
    const key = budget.rate.shared === true ? tool : `${tool} ${caller}`;
    const taken = this.rates.take(key, budget.rate);
    const verdict = taken instanceof Promise ? await taken : taken;
    if ('unavailable' in verdict) return toolFailure(uncounted(tool, verdict.unavailable));
    if (verdict.waitMs > 0) return toolFailure(rateLimited(tool, budget, verdict.waitMs));
    if (cancellation.reason !== undefined) return toolFailure(callCancelled());
    const lane = this.#lane(key);
    if (lane.running < budget.concurrency) return this.#admit(lane);
    if (lane.waiting.size >= budget.concurrency * WAITING_PER_PLACE) return toolFailure(busy(tool, budget));
    return this.#queue(lane, cancellation);
  }

  load(): { readonly running: number; readonly waiting: number } {
    const load = { running: 0, waiting: 0 };
    for (const lane of this.#lanes.values()) {
      load.running += lane.running;
      load.waiting += lane.waiting.size;
    }
    return load;
  }

  #admit(lane: Lane): Result<CallSlot, ToolError> {
    lane.running += 1;
    return Result.ok({
      release: () => {
        lane.running -= 1;
        const [next] = lane.waiting;
        next?.admit();
      },
    });
  }

  #queue(lane: Lane, cancellation: Cancellation): Promise<Result<CallSlot, ToolError>> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        admit: () => {
          lane.waiting.delete(waiter);
          cancellation.onCancel(undefined);
          resolve(this.#admit(lane));
        },
      };
      lane.waiting.add(waiter);
      cancellation.onCancel(() => {
        lane.waiting.delete(waiter);
        resolve(toolFailure(callCancelled()));
      });
    });
  }

  #lane(key: string): Lane {
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    if (this.#lanes.size >= MAX_LANES) this.#forgetIdle();
    const lane: Lane = { running: 0, waiting: new Set() };
    this.#lanes.set(key, lane);
    return lane;
  }

  #forgetIdle(): void {
    for (const [key, lane] of this.#lanes) if (lane.running === 0) this.#lanes.delete(key);
  }
}

function rateLimited(tool: ToolName, { rate }: CallBudget, retryAfterMs: number): ToolError {
  return toolUnavailable(
    'RATE_LIMITED',
    `Too many calls to ${tool}: allowed are ${describeRate(rate)}, for ${rate.shared === true ? 'all callers together' : 'each caller'}. ` +
      `Wait ${retryAfterMs} ms, or do more with one call. ` +
      `The policy sets the limit: \`tools: { ${tool}: { ${raisedRate(rate)} } }\` would double it.`,
    retryAfterMs,
  );
}

function busy(tool: ToolName, { concurrency }: CallBudget): ToolError {
  return toolUnavailable(
    'BUSY',
    `${concurrency} calls to ${tool} are running and as many as may wait are waiting. Try again when one has ended.`,
    1000,
  );
}

function uncounted(tool: ToolName, why: string): ToolError {
  return toolUnavailable(
    'RATE_LIMITED',
    `Calls to ${tool} cannot be counted now, and the policy has none without (on_store_failure: deny): ${why}`,
    1000,
  );
}
