import type { CircuitBreakerPolicy } from 'cockatiel';
import { inject, injectable } from 'inversify';
import type { BreakerState, CircuitBreakers } from '../../application/ports/circuit-breakers.js';
import { Clock } from '../../application/ports/clock.js';
import { Logger } from '../../application/ports/logger.js';
import type { CallBudget } from '../../application/tool/call-budget.js';
import type { Result } from '../../domain/result.js';
import { countsAsFault, type ToolError, toolFailure, toolUnavailable } from '../../domain/tool/tool-error.js';
import type { ToolName } from '../../domain/tool/tool-name.js';

type Cockatiel = typeof import('cockatiel');

interface Breaker {
  readonly library: Cockatiel;
  readonly policy: CircuitBreakerPolicy;
  readonly settings: CallBudget['breaker'];
  openedAt: number;
}

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
    try {
      return await breaker.policy.execute(run);
    } catch (error) {
      if (!(error instanceof breaker.library.BrokenCircuitError)) throw error;
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
    const key = keyOf(tool);
    const policy = library.circuitBreaker(library.handleAll.orWhenResult(isFault), {
      halfOpenAfter: settings.openForMs,
      breaker: new library.ConsecutiveBreaker(settings.failures),
    });
    const breaker: Breaker = { library, policy, settings, openedAt: 0 };
    policy.onBreak(() => {
      breaker.openedAt = this.clock.now();
      this.logger.warn(`Breaker of ${tool} opened for ${settings.openForMs} ms`, { breaker: key });
    });
    this.#breakers.set(key, breaker);
    return breaker;
  }
}

function keyOf(tool: ToolName): string {
  return `tool_${tool}`;
}

function isFault(value: unknown): boolean {
  return isFailedCall(value) && countsAsFault(value.error);
}

function isFailedCall(value: unknown): value is { error: ToolError } {
  return typeof value === 'object' && value !== null && 'success' in value && value.success === false;
}
