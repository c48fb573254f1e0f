import { injectable } from 'inversify';
import type { ToolStatistics } from '../../application/ports/tool/tool-statistics.js';
import type { ToolErrorKind } from '../../domain/tool/tool-error.js';
import { type StatsSnapshot, ToolStats } from '../../domain/tool/tool-stats.js';

@injectable()
export class InMemoryToolStatistics implements ToolStatistics {
  readonly #tools = new Map<string, ToolStats>();

  record(tool: string, durationMs: number, failure?: ToolErrorKind): void {
    let stats = this.#tools.get(tool);
    if (stats === undefined) {
      stats = new ToolStats();
      this.#tools.set(tool, stats);
    }
    stats.record(durationMs, failure);
  }

  of(tool: string): StatsSnapshot | undefined {
    return this.#tools.get(tool)?.snapshot();
  }

  all(): ReadonlyMap<string, StatsSnapshot> {
    return new Map([...this.#tools].map(([name, stats]) => [name, stats.snapshot()]));
  }
}
