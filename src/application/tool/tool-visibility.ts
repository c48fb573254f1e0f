import { inject, injectable } from 'inversify';
import type { Session } from '../../domain/session/session.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';

/**
 * Hides tools in one session. A hidden tool is neither listed nor found there; other sessions are not
 * affected. Hiding only restricts: what the policy refuses stays refused.
 */
@injectable()
export class ToolVisibility {
  constructor(@inject(ToolRegistry) private readonly tools: ToolRegistry) {}

  /** Accepts any spelling of the name. false: no such tool. */
  hide(session: Session, name: string): boolean {
    const tool = this.tools.get(name)?.tool;
    if (tool !== undefined) session.hideTool(tool.name);
    return tool !== undefined;
  }

  show(session: Session, name: string): boolean {
    const tool = this.tools.get(name)?.tool;
    if (tool !== undefined) session.showTool(tool.name);
    return tool !== undefined;
  }
}
