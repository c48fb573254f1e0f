import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import { SessionStore } from '../../ports/session/session-store.js';
import { CallPipeline, type PipelineCall } from './call-pipeline.js';

/** A call that a client makes. */
export interface ExecuteToolCommand extends Omit<PipelineCall, 'session' | 'inner'> {
  readonly sessionId: string;
  /** For callers that have already looked it up. */
  readonly session?: Session | undefined;
}

/** Takes a client's call through the pipeline. */
@injectable()
export class ExecuteToolHandler {
  constructor(
    @inject(CallPipeline) private readonly pipeline: CallPipeline,
    @inject(SessionStore) private readonly sessions: SessionStore,
  ) {}

  handle(command: ExecuteToolCommand): Promise<Result<ToolResult, ToolError>> {
    const session = command.session ?? this.sessions.get(command.sessionId);
    return this.pipeline.run({ ...command, session });
  }
}
