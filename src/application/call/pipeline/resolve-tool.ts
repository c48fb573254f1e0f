import { inject, injectable } from 'inversify';
import { nearestNames } from '../../../domain/nearest-names.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import { ownTool } from '../../../domain/tool/foreign-names.js';
import { type ToolError, toolDisabled, toolFailure, toolNotFound } from '../../../domain/tool/tool-error.js';
import { denialError } from '../../permission/denial-error.js';
import { ToolRegistry } from '../../ports/tool/tool-registry.js';
import type { RunnableTool } from '../runnable-tool.js';

interface FoundTool {
  readonly runnable: RunnableTool;
  /** Why the policy refuses the tool with any arguments. */
  readonly refusal?: ToolError;
}

/** Finds the tool that a caller means, if its session is open, may see it, and it is enabled. */
@injectable()
export class ResolveTool {
  constructor(@inject(ToolRegistry) private readonly tools: ToolRegistry) {}

  /** Returns the session if it is open; undefined stands for one that does not exist. */
  ready(session: Session | undefined): Result<Session, ToolError> {
    const ready = session?.checkReady();
    if (session !== undefined && ready?.success) return Result.ok(session);
    const message = ready?.success === false ? ready.error : 'There is no such session; open one first.';
    return toolFailure({ kind: 'unavailable', message });
  }

  find(session: Session, name: string, policy: PermissionPolicy): Result<FoundTool, ToolError> {
    const tool = this.tools.get(name);
    // A hidden tool is answered exactly like one that does not exist.
    if (tool === undefined || !session.canSee(tool.tool.name))
      return toolFailure(this.#notFound(session, name, policy));
    const denial = policy.admission(session.caller, tool.tool.name);
    if (denial?.reason === 'ROLE' || denial?.reason === 'UNKNOWN_TOOL')
      return toolFailure(this.#notFound(session, name, policy));
    if (!tool.tool.enabled) return toolFailure(toolDisabled(tool.tool.name));
    if (denial?.reason === 'DISABLED') return toolFailure(denialError(denial, tool.tool.name));
    // The reason is more precise once the arguments are known.
    return Result.ok({
      runnable: tool,
      ...(denial !== undefined && { refusal: denialError(denial, tool.tool.name) }),
    });
  }

  #notFound(session: Session, name: string, policy: PermissionPolicy): ToolError {
    // A suggestion must not reveal tools that the caller may not know.
    const visible = this.tools
      .listEnabled()
      .filter(({ tool }) => session.canSee(tool.name) && policy.couldAllow(session.caller, tool.name));
    const names = visible.map(({ tool }) => tool.name);
    const own = names.find((visibleName) => visibleName === ownTool(name));
    return toolNotFound(name.slice(0, 100), own === undefined ? nearestNames(name, names) : [own]);
  }
}
