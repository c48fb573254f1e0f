import { inject, injectable } from 'inversify';
import { BoundedMap } from '../../domain/bounded-map.js';
import type { Session } from '../../domain/session/session.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import { Clock } from '../ports/system/clock.js';

/** The key of `_meta` under which a handle travels. */
export const WORKFLOW_META = 'castellan/workflow';

/** Whether a call says itself which workflow it belongs to. */
export function namesWorkflow(
  meta: Readonly<Record<string, unknown>> | undefined,
): meta is { readonly [WORKFLOW_META]: string } {
  return typeof meta?.[WORKFLOW_META] === 'string';
}

const IDLE_MS = 60 * 60 * 1000;
const MAX_WORKFLOWS = 1000;
const MAX_RESULTS = 50;
const MAX_RESULT_CHARACTERS = 256 * 1024;

interface OpenWorkflow {
  readonly context: WorkflowContext;
  readonly results: Map<string, unknown>;
  usedAt: number;
}

/** The workflows under way: in memory, forgotten an hour after their last use. */
@injectable()
export class WorkflowContexts {
  /** Least recently used first. */
  readonly #open = new Map<string, OpenWorkflow>();
  readonly #latest = new Map<string, string>();

  constructor(@inject(Clock) private readonly clock: Clock) {}

  get size(): number {
    return this.#open.size;
  }

  open(session: Session, promptName: string, promptArgs: Readonly<Record<string, string>>): WorkflowContext {
    this.#forgetIdle();
    const results = new BoundedMap<string, unknown>(MAX_RESULTS);
    const context: WorkflowContext = {
      id: `wf_${crypto.randomUUID()}`,
      sessionId: session.id,
      callerId: session.caller.id,
      promptName,
      promptArgs,
      toolResults: results,
      createdAt: this.clock.now(),
    };
    this.#open.set(context.id, { context, results, usedAt: this.clock.elapsed() });
    this.#latest.set(session.id, context.id);
    for (const [id] of this.#open) {
      if (this.#open.size <= MAX_WORKFLOWS) break;
      this.#forget(id);
    }
    return context;
  }

  /** The workflow a call names, or else the latest of its session. Another caller's is nobody's. */
  of(session: Session, meta: Readonly<Record<string, unknown>> | undefined): WorkflowContext | undefined {
    this.#forgetIdle();
    const id = namesWorkflow(meta) ? meta[WORKFLOW_META] : this.#latest.get(session.id);
    const found = id === undefined ? undefined : this.#open.get(id);
    if (found === undefined || found.context.callerId !== session.caller.id) return undefined;
    this.#open.delete(found.context.id);
    this.#open.set(found.context.id, found);
    found.usedAt = this.clock.elapsed();
    return found.context;
  }

  /** Keeps what a tool answered for those called after it; what is too large is not kept. */
  record(id: string, tool: string, result: unknown): void {
    const found = this.#open.get(id);
    if (found === undefined || JSON.stringify(result).length > MAX_RESULT_CHARACTERS) return;
    found.results.set(tool, result);
  }

  #forgetIdle(): void {
    const limit = this.clock.elapsed() - IDLE_MS;
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
