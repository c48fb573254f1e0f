import type { ServiceIdentifier } from 'inversify';
import type { WorkflowContext } from '../../../domain/session/workflow-context.js';

/**
 * Keeps the workflows under way: forgotten an hour after their last use, and the oldest first where there are too
 * many. A store that cannot be asked knows of none.
 */
export interface WorkflowStore {
  /** From here on it is the latest of its session. */
  add(context: WorkflowContext): Promise<void>;
  find(id: string): Promise<WorkflowContext | undefined>;
  /** The id of the latest workflow of a session. */
  latest(sessionId: string): string | undefined | Promise<string | undefined>;
  /** Of one tool the last result is kept, and of all of them the last 50. */
  record(id: string, tool: string, result: unknown): Promise<void>;
}

export const MAX_WORKFLOW_RESULTS = 50;
export const WORKFLOW_IDLE_MS = 60 * 60 * 1000;

export const WorkflowStore: ServiceIdentifier<WorkflowStore> = Symbol.for('castellan.WorkflowStore');
