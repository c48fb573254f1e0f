import type { CircuitBreakerPolicy } from 'cockatiel';
import { inject, injectable } from 'inversify';
import type { CallBudget } from '../../application/call/call-budget.js';
import { Clock } from '../../application/ports/system/clock.js';
import { Logger } from '../../application/ports/system/logger.js';
import type { BreakerState, CircuitBreakers } from '../../application/ports/tool/circuit-breakers.js';
import type { Result } from '../../domain/result.js';
import { errorTypeOf, type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import { countsAsFault, endedByCaller } from '../../domain/tool/tool-fault.js';
import type { ToolName } from '../../domain/tool/tool-name.js';

type Cockatiel = typeof import('cockatiel');

interface Breaker {
  readonly library: Cockatiel;
  policy: CircuitBreakerPolicy;
  readonly settings: CallBudget['breaker'];
  openedAt: number;
  /** The type alone: what was said to one caller is not for the next. */
  lastFault?: string;
}

type Counters = Omit<Breaker, 'policy'>;

/** Thrown past the breaker's counters, and never out of this file. */
const NOT_COUNTED = new Error('A call that its caller ended says nothing about its tool.');

/** The library is loaded by the first call. */
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
    const breaker =
      this.#known(tool, budget.breaker) ?? this.#open(await import('cockatiel'), tool, budget.breaker);
    const { policy, library } = breaker;
    let cancelled: Result<T, ToolError> | undefined;
    let beforeProbe: unknown;
    try {
      return await policy.execute(async () => {
        if (policy.state !== library.CircuitState.Closed) beforeProbe = policy.toJSON();
        const outcome = await run();
        if (outcome.success || !endedByCaller(outcome.error)) return noted(breaker, outcome);
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
    if (!(error instanceof breaker.library.BrokenCircuitError)) throw error;
    const retryAfterMs = Math.max(
      1,
      Math.ceil(breaker.openedAt + breaker.settings.openForMs - this.clock.now()),
    );
    return toolFailure(
      toolUnavailable(
        'BREAKER_OPEN',
        `${tool} is disabled for another ${retryAfterMs} ms after ${breaker.settings.failures} consecutive failures ` +
          `(last error: ${breaker.lastFault ?? 'unknown'}). Retry then; the first success enables it again for all callers.`,
        retryAfterMs,
      ),
    );
  }

  state(tool: ToolName): BreakerState {
    const breaker = this.#breakers.get(keyOf(tool));
    if (breaker === undefined) return 'closed';
    const { CircuitState } = breaker.library;
    switch (breaker.policy.state) {
      case CircuitState.Open:
      case CircuitState.Isolated:
        return 'open';
      case CircuitState.HalfOpen:
        return 'half-open';
      case CircuitState.Closed:
        return 'closed';
    }
  }

  /** A policy that changes the numbers gets a new breaker. */
  #known(tool: ToolName, { failures, openForMs }: CallBudget['breaker']): Breaker | undefined {
    const known = this.#breakers.get(keyOf(tool));
    return known?.settings.failures === failures && known.settings.openForMs === openForMs
      ? known
      : undefined;
  }

  #open(library: Cockatiel, tool: ToolName, settings: CallBudget['breaker']): Breaker {
    // Calls that came while the library was loading share the breaker that the first of them opened.
    const known = this.#known(tool, settings);
    if (known !== undefined) return known;
    const counters: Counters = { library, settings, openedAt: 0 };
    const breaker: Breaker = Object.assign(counters, { policy: this.#policy(tool, counters) });
    this.#breakers.set(keyOf(tool), breaker);
    return breaker;
  }

  #policy(tool: ToolName, counters: Counters, initialState?: unknown): CircuitBreakerPolicy {
    const { circuitBreaker, ConsecutiveBreaker, handleWhen } = counters.library;
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

function noted<T>(breaker: Breaker, outcome: Result<T, ToolError>): Result<T, ToolError> {
  if (!outcome.success && countsAsFault(outcome.error)) breaker.lastFault = errorTypeOf(outcome.error);
  return outcome;
}

function isFault(value: unknown): boolean {
  return isFailedCall(value) && countsAsFault(value.error);
}

function isFailedCall(value: unknown): value is { error: ToolError } {
  return typeof value === 'object' && value !== null && 'success' in value && value.success === false;
}
