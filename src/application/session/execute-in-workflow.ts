import { inject, injectable } from 'inversify';
import { isJsonObject } from '../../domain/json-value.js';
import type { Result } from '../../domain/result.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { type ExecuteToolCommand, ExecuteToolHandler } from '../call/pipeline/execute-tool.js';
import { SessionStore } from '../ports/session/session-store.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { namesWorkflow, WorkflowContexts } from './workflow-contexts.js';

/** Runs a call in the workflow it belongs to, if any. */
@injectable()
export class ExecuteInWorkflow {
  constructor(
    @inject(ExecuteToolHandler) private readonly execute: ExecuteToolHandler,
    @inject(WorkflowContexts) private readonly workflows: WorkflowContexts,
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
  ) {}

  async handle(command: ExecuteToolCommand): Promise<Result<ToolResult, ToolError>> {
    const session = this.sessions.get(command.sessionId);
    const workflow = session === undefined ? undefined : await this.workflows.of(session, command.meta);
    const tool = workflow === undefined ? undefined : this.tools.get(command.toolName)?.tool;
    if (workflow === undefined || tool === undefined) return this.execute.handle({ ...command, session });
    return this.execute.handle({
      ...command,
      session,
      // The latest workflow of a session is a guess: tools may read it, but arguments are not taken from it.
      arguments: namesWorkflow(command.meta)
        ? completed(tool, command.arguments, workflow)
        : command.arguments,
      workflow,
      // The next call may arrive as soon as the caller has the result.
      onOutcome: async (outcome) => {
        if (outcome.success) await this.workflows.record(workflow.id, tool.name, answerOf(outcome.value));
        await command.onOutcome?.(outcome);
      },
    });
  }
}

/**
 * Fills required arguments that the call of a reading tool omits from the prompt's arguments of the same
 * name.
 */
function completed(tool: Tool, args: unknown, { promptArgs }: WorkflowContext): unknown {
  if (!tool.hints.readOnly || (args !== undefined && !isJsonObject(args))) return args;
  const missing = (tool.inputSchema.required ?? []).filter(
    (name) => !Object.hasOwn(args ?? {}, name) && Object.hasOwn(promptArgs, name),
  );
  if (missing.length === 0) return args;
  return { ...args, ...Object.fromEntries(missing.map((name) => [name, promptArgs[name]])) };
}

function answerOf({ structured, content }: ToolResult): unknown {
  if (isJsonObject(structured) && 'value' in structured) return structured.value;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
