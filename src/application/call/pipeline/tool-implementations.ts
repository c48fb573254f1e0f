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
 * Runs the implementations behind tools for code inside the server: without prefix and log lines, with the
 * same arguments and context. Permission for the outer call does not extend to the inner one: the policy
 * decides again about this tool and what it will do, and the inner call has its own audit record, statistics,
 * rate and sandbox.
 */
@injectable()
export class ToolImplementations {
  constructor(@inject(CallPipeline) private readonly pipeline: CallPipeline) {}

  /** For use within a tool: `context` is the one passed to its own `run`. */
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

  /** For code outside a call, such as rendering a prompt. Consent cannot be asked for. */
  runIn(session: Session, name: string, args: ArgumentValues): Promise<Result<ToolResult, ToolError>> {
    return this.pipeline.run({ session, toolName: name, arguments: args, inner: {} });
  }
}
