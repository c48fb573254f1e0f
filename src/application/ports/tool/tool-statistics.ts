import type { ServiceIdentifier } from 'inversify';
import type { ToolErrorKind } from '../../../domain/tool/tool-error.js';
import type { StatsSnapshot } from '../../../domain/tool/tool-stats.js';

/** Counts and times of every call, by tool. */
export interface ToolStatistics {
  /** `failure` is absent for a success. */
  record(tool: string, durationMs: number, failure?: ToolErrorKind): void;
  of(tool: string): StatsSnapshot | undefined;
  all(): ReadonlyMap<string, StatsSnapshot>;
}

export const ToolStatistics: ServiceIdentifier<ToolStatistics> = Symbol.for('castellan.ToolStatistics');
