import { inject, injectable } from 'inversify';
import type { Session } from '../../domain/session/session.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import { WorkflowStore } from '../ports/session/workflow-store.js';
import { Clock } from '../ports/system/clock.js';

/** The key of `_meta` that carries a handle. */
export const WORKFLOW_META = 'castellan/workflow';

/** Returns true if a call itself names its workflow. */
export function namesWorkflow(
  meta: Readonly<Record<string, unknown>> | undefined,
): meta is { readonly [WORKFLOW_META]: string } {
  return typeof meta?.[WORKFLOW_META] === 'string';
}

const MAX_RESULT_CHARACTERS = 256 * 1024;

/** The running workflows. */
@injectable()
export class WorkflowContexts {
  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(WorkflowStore) private readonly store: WorkflowStore,
  ) {}

  async open(
    session: Session,
    promptName: string,
    promptArgs: Readonly<Record<string, string>>,
  ): Promise<WorkflowContext> {
    const context: WorkflowContext = {
      id: `wf_${crypto.randomUUID()}`,
      sessionId: session.id,
      callerId: session.caller.id,
      promptName,
      promptArgs,
      toolResults: new Map(),
      createdAt: this.clock.now(),
    };
    await this.store.add(context);
    return context;
  }

  /**
   * The workflow that a call names, or else the latest of its session. Workflows of other callers are
   * invisible.
   */
  of(
    session: Session,
    meta: Readonly<Record<string, unknown>> | undefined,
  ): WorkflowContext | undefined | Promise<WorkflowContext | undefined> {
    const id = namesWorkflow(meta) ? meta[WORKFLOW_META] : this.store.latest(session.id);
    if (id === undefined) return undefined;
    return this.#find(session, id);
  }

  /** Keeps a tool's result for later tools; results that are too large are not kept. */
  async record(id: string, tool: string, result: unknown): Promise<void> {
    if (JSON.stringify(result).length <= MAX_RESULT_CHARACTERS) await this.store.record(id, tool, result);
  }

  async #find(session: Session, named: string | Promise<string | undefined>) {
    const id = await named;
    const found = id === undefined ? undefined : await this.store.find(id);
    return found?.callerId === session.caller.id ? found : undefined;
  }
}
