import { inject, injectable } from 'inversify';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { StatsSnapshot } from '../../domain/tool/tool-stats.js';
import { type BreakerState, CircuitBreakers } from '../ports/tool/circuit-breakers.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { ToolStatistics } from '../ports/tool/tool-statistics.js';

export interface GetToolStatsQuery {
  /** Default: all tools. */
  readonly tool?: string;
}

export interface ToolStatsReport {
  readonly total: {
    readonly invocations: number;
    readonly failures: number;
    readonly timeouts: number;
    readonly total_ms: number;
  };
  readonly tools: Readonly<Record<string, StatsSnapshot & { readonly breaker: BreakerState }>>;
}

/** How often each tool was called, how long it took and how it failed. */
@injectable()
export class GetToolStatsHandler {
  constructor(
    @inject(ToolStatistics) private readonly statistics: ToolStatistics,
    @inject(CircuitBreakers) private readonly breakers: CircuitBreakers,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
  ) {}

  handle(query: GetToolStatsQuery): Result<ToolStatsReport, ToolError> {
    const wanted = query.tool === undefined ? undefined : this.tools.get(query.tool)?.tool.name;
    if (query.tool !== undefined && wanted === undefined) {
      return toolFailure(
        executionFailed(`There is no tool ${query.tool.slice(0, 100)}; leave tool out for all of them.`, {
          type: 'NotFoundError',
        }),
      );
    }
    const counted = [...this.statistics.all()].filter(([name]) => wanted === undefined || name === wanted);
    const tools = counted.flatMap(([name, stats]) => {
      const known = this.tools.get(name);
      return known === undefined
        ? []
        : [[name, { ...stats, breaker: this.breakers.state(known.tool.name) }] as const];
    });
    return Result.ok({ total: totalOf(tools.map(([, stats]) => stats)), tools: Object.fromEntries(tools) });
  }
}

function totalOf(all: readonly StatsSnapshot[]): ToolStatsReport['total'] {
  const sum = (pick: (stats: StatsSnapshot) => number) =>
    all.reduce((total, stats) => total + pick(stats), 0);
  return {
    invocations: sum((stats) => stats.invocations),
    failures: sum((stats) => stats.failures),
    timeouts: sum((stats) => stats.timeouts),
    total_ms: Math.round(sum((stats) => stats.total_ms) * 1000) / 1000,
  };
}
