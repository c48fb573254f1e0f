import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { inject, injectable } from 'inversify';
import type { BreakerState, CircuitBreakers } from '../../application/ports/circuit-breakers.js';
import { Clock } from '../../application/ports/clock.js';
import { Logger } from '../../application/ports/logger.js';
import type { CallBudget } from '../../application/tool/call-budget.js';
import type { Result } from '../../domain/result.js';
import { countsAsFault, type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import type { ToolName } from '../../domain/tool/tool-name.js';

interface Breaker {
  policy: CircuitBreakerPolicy;
  readonly settings: CallBudget['breaker'];
  openedAt: number;
}

/** Thrown past the breaker's counters, and never out of this file. */
const NOT_COUNTED = new Error('A cancelled call says nothing about its tool.');

@injectable()
export class CockatielBreakers implements CircuitBreakers {
  readonly #breakers = new Map<string, Breaker>();

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  async guard<T>(
    tool: ToolName,
    budget: CallBudget,
    run: () => Promise<Result<T, ToolError>>,
  ): Promise<Result<T, ToolError>> {
    const breaker = this.#breaker(tool, budget.breaker);
    const { policy } = breaker;
    let cancelled: Result<T, ToolError> | undefined;
    let beforeProbe: unknown;
    try {
      return await policy.execute(async () => {
        if (policy.state !== CircuitState.Closed) beforeProbe = policy.toJSON();
        const outcome = await run();
        if (!isCancelled(outcome)) return outcome;
        cancelled = outcome;
        throw NOT_COUNTED;
      });
    } catch (error) {
      if (cancelled === undefined) return this.#refused(tool, breaker, error);
      // The library takes whatever is not counted for a good probe; this one has to be made again.
      if (beforeProbe !== undefined) breaker.policy = this.#policy(tool, breaker, beforeProbe);
      return cancelled;
    }
  }

  #refused(tool: ToolName, breaker: Breaker, error: unknown): Result<never, ToolError> {
    if (!(error instanceof BrokenCircuitError)) throw error;
    const retryAfterMs = Math.max(
      1,
      Math.ceil(breaker.openedAt + breaker.settings.openForMs - this.clock.now()),
    );
    return toolFailure(
      toolUnavailable(
        'BREAKER_OPEN',
        `${tool} failed ${breaker.settings.failures} times in a row and is given a rest. ` +
          `Try again in ${retryAfterMs} ms; one call that succeeds opens it for all.`,
        retryAfterMs,
      ),
    );
  }

  state(tool: ToolName): BreakerState {
    const breaker = this.#breakers.get(keyOf(tool));
    switch (breaker?.policy.state) {
      case CircuitState.Open:
      case CircuitState.Isolated:
        return 'open';
      case CircuitState.HalfOpen:
        return 'half-open';
      case CircuitState.Closed:
      case undefined:
        return 'closed';
    }
  }

  /** A policy that changes the numbers gets a new breaker. */
  #breaker(tool: ToolName, settings: CallBudget['breaker']): Breaker {
    const key = keyOf(tool);
    const known = this.#breakers.get(key);
    if (
      known &&
      known.settings.failures === settings.failures &&
      known.settings.openForMs === settings.openForMs
    ) {
      return known;
    }
    const counters: Pick<Breaker, 'settings' | 'openedAt'> = { settings, openedAt: 0 };
    const breaker: Breaker = Object.assign(counters, { policy: this.#policy(tool, counters) });
    this.#breakers.set(key, breaker);
    return breaker;
  }

  #policy(
    tool: ToolName,
    counters: Pick<Breaker, 'settings' | 'openedAt'>,
    initialState?: unknown,
  ): CircuitBreakerPolicy {
    const { failures, openForMs } = counters.settings;
    const policy = circuitBreaker(handleWhen((error) => error !== NOT_COUNTED).orWhenResult(isFault), {
      halfOpenAfter: openForMs,
      breaker: new ConsecutiveBreaker(failures),
      ...(initialState !== undefined && { initialState }),
    });
    policy.onBreak(() => {
      counters.openedAt = this.clock.now();
      this.logger.warn(`Breaker of ${tool} opened for ${openForMs} ms`, { breaker: keyOf(tool) });
    });
    return policy;
  }
}

function keyOf(tool: ToolName): string {
  return `tool_${tool}`;
}

function isCancelled(value: unknown): boolean {
  return isFailedCall(value) && value.error.kind === 'cancelled';
}

function isFault(value: unknown): boolean {
  return isFailedCall(value) && countsAsFault(value.error);
}

function isFailedCall(value: unknown): value is { error: ToolError } {
  return typeof value === 'object' && value !== null && 'success' in value && value.success === false;
}
