import { inject, injectable } from 'inversify';
import { Result } from '../../domain/result.js';
import { type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { Clock } from '../ports/clock.js';
import { ModelLimits } from './model-limits.js';

const HOUR_MS = 3_600_000;

interface Spending {
  readonly at: number;
  readonly tokens: number;
}

/** Counts what conversations used in the last hour, and says when it is enough. */
@injectable()
export class TokenAccount {
  #spent: Spending[] = [];
  #sum = 0;

  constructor(
    @inject(ModelLimits) private readonly limits: ModelLimits,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Tokens of the last hour. */
  get used(): number {
    const since = this.clock.elapsed() - HOUR_MS;
    while (this.#spent[0] !== undefined && this.#spent[0].at <= since) {
      this.#sum -= this.#spent.shift()?.tokens ?? 0;
    }
    return this.#sum;
  }

  check(): Result<void, ToolError> {
    const limit = this.limits.tokensPerHour;
    const { used } = this;
    if (limit === undefined || used < limit) return Result.ok(undefined);
    const oldest = this.#spent[0]?.at ?? 0;
    return toolFailure({
      kind: 'unavailable',
      reason: 'RATE_LIMITED',
      retryAfterMs: Math.ceil(oldest + HOUR_MS - this.clock.elapsed()),
      message: `Conversations have used ${used} of ${limit} tokens an hour. Wait, or ask the operator to raise the limit in the policy.`,
    });
  }

  add(tokens: number): void {
    this.#spent.push({ at: this.clock.elapsed(), tokens });
    this.#sum += tokens;
  }
}
