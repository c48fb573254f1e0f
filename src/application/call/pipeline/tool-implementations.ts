import { inject, injectable } from 'inversify';
import type { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { ToolResult } from '../../../domain/tool/tool-result.js';
import { Cancellation } from '../cancellation.js';
import type { ArgumentValues } from '../runnable-tool.js';
import type { ToolContext } from '../tool-context.js';
import { CallPipeline } from './call-pipeline.js';

/**
 * The implementations behind the tools, for code that runs inside the server: no prefix and no lines in
 * the log, the same arguments and the same context. Permission for the outer call says nothing about the
 * inner one: the policy is asked again, about this tool and what it is about to do, and the inner call has its
 * own place in the audit log, in the statistics, in the caller's rate and in the sandbox.
 */
@injectable()
export class ToolImplementations {
  constructor(@inject(CallPipeline) private readonly pipeline: CallPipeline) {}

  /** From within a tool: `context` is the one its own `run` was given. */
  async run(
    name: string,
    args: ArgumentValues,
    context: ToolContext,
  ): Promise<Result<ToolResult, ToolError>> {
    const { session, meta, workflow, grant, signal } = context;
    const cancellation = Cancellation.following(signal);
    try {
      return await this.pipeline.run({
        session,
        toolName: name,
        arguments: args,
        channel: context,
        cancellation,
        meta,
        workflow,
        inner: grant,
      });
    } finally {
      cancellation.release();
    }
  }

  /** For code that serves no call, such as a prompt that is rendered. Nobody can be asked for consent. */
  runIn(session: Session, name: string, args: ArgumentValues): Promise<Result<ToolResult, ToolError>> {
    return this.pipeline.run({ session, toolName: name, arguments: args, inner: {} });
  }
}
