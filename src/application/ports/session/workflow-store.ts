import type { ServiceIdentifier } from 'inversify';
import type { WorkflowContext } from '../../../domain/session/workflow-context.js';

/**
 * Stores running workflows: dropped an hour after their last use, and the oldest first if there are too many.
 * An unreachable store returns none.
 */
export interface WorkflowStore {
  /** Makes it the latest of its session. */
  add(context: WorkflowContext): Promise<void>;
  find(id: string): Promise<WorkflowContext | undefined>;
  /** The id of the latest workflow of a session. */
  latest(sessionId: string): string | undefined | Promise<string | undefined>;
  /** Keeps the last result of each tool, and at most 50 in all. */
  record(id: string, tool: string, result: unknown): Promise<void>;
}

export const MAX_WORKFLOW_RESULTS = 50;
export const WORKFLOW_IDLE_MS = 60 * 60 * 1000;

export const WorkflowStore: ServiceIdentifier<WorkflowStore> = Symbol.for('castellan.WorkflowStore');
