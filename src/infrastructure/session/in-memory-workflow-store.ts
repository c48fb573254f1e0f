import { inject, injectable } from 'inversify';
import {
  MAX_WORKFLOW_RESULTS,
  WORKFLOW_IDLE_MS,
  type WorkflowStore,
} from '../../application/ports/session/workflow-store.js';
import { Clock } from '../../application/ports/system/clock.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';

const MAX_WORKFLOWS = 1000;

interface OpenWorkflow {
  readonly context: WorkflowContext;
  readonly results: Map<string, unknown>;
  usedAt: number;
}

@injectable()
export class InMemoryWorkflowStore implements WorkflowStore {
  /** Least recently used first. */
  readonly #open = new Map<string, OpenWorkflow>();
  readonly #latest = new Map<string, string>();

  constructor(@inject(Clock) private readonly clock: Clock) {}

  async add(context: WorkflowContext): Promise<void> {
    this.#forgetIdle();
    const results = new Map(context.toolResults);
    this.#open.set(context.id, {
      context: { ...context, toolResults: results },
      results,
      usedAt: this.clock.elapsed(),
    });
    this.#latest.set(context.sessionId, context.id);
    for (const [id] of this.#open) {
      if (this.#open.size <= MAX_WORKFLOWS) break;
      this.#forget(id);
    }
  }

  async find(id: string): Promise<WorkflowContext | undefined> {
    this.#forgetIdle();
    const found = this.#open.get(id);
    if (found === undefined) return undefined;
    this.#open.delete(id);
    this.#open.set(id, found);
    found.usedAt = this.clock.elapsed();
    return found.context;
  }

  latest(sessionId: string): string | undefined {
    return this.#latest.get(sessionId);
  }

  async record(id: string, tool: string, result: unknown): Promise<void> {
    const results = this.#open.get(id)?.results;
    if (results === undefined) return;
    results.delete(tool);
    results.set(tool, result);
    const [oldest] = results.keys();
    if (results.size > MAX_WORKFLOW_RESULTS && oldest !== undefined) results.delete(oldest);
  }

  #forgetIdle(): void {
    const limit = this.clock.elapsed() - WORKFLOW_IDLE_MS;
    for (const [id, { usedAt }] of this.#open) {
      if (usedAt > limit) return;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    const session = this.#open.get(id)?.context.sessionId;
    this.#open.delete(id);
    if (session !== undefined && this.#latest.get(session) === id) this.#latest.delete(session);
  }
}
