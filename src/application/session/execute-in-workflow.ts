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

/** One call, in the workflow that it belongs to if there is one. */
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
      // The latest workflow of a session is a guess: tools may read it, but it must not say what a call is about.
      arguments: namesWorkflow(command.meta)
        ? completed(tool, command.arguments, workflow)
        : command.arguments,
      workflow,
      // The call after this one may come as soon as the caller has heard.
      onOutcome: async (outcome) => {
        if (outcome.success) await this.workflows.record(workflow.id, tool.name, answerOf(outcome.value));
        await command.onOutcome?.(outcome);
      },
    });
  }
}

/** What a reading tool requires and the call leaves out is taken from the prompt's arguments of the same name. */
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
