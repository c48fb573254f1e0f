import { inject, injectable } from 'inversify';
import type { Session } from '../../domain/session/session.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';

/**
 * What one session sees of the tools. A hidden tool is neither listed nor found in that session, whoever asks; other
 * sessions keep theirs. It can only take away: what the policy refuses stays refused.
 */
@injectable()
export class ToolVisibility {
  constructor(@inject(ToolRegistry) private readonly tools: ToolRegistry) {}

  /** By any spelling of the name. false: there is no such tool. */
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
