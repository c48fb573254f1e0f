import type { ServiceIdentifier } from 'inversify';
import type { ToolErrorKind } from '../../../domain/tool/tool-error.js';
import type { StatsSnapshot } from '../../../domain/tool/tool-stats.js';

/** Counts and durations of all calls, per tool. */
export interface ToolStatistics {
  /** `failure` is undefined for a success. */
  record(tool: string, durationMs: number, failure?: ToolErrorKind): void;
  of(tool: string): StatsSnapshot | undefined;
  all(): ReadonlyMap<string, StatsSnapshot>;
}

export const ToolStatistics: ServiceIdentifier<ToolStatistics> = Symbol.for('castellan.ToolStatistics');
