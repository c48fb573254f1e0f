import { inject, injectable } from 'inversify';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { McpTool } from '../../domain/tool/tool.js';
import type { RunnableTool } from '../call/runnable-tool.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { SessionStore } from '../ports/session/session-store.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { pageAfter } from './page-cursor.js';
import { ToolNaming } from './tool-naming.js';

export interface ListToolsQuery {
  readonly sessionId: string;
  readonly category?: string;
  readonly cursor?: string;
}

export interface ToolPage {
  readonly tools: readonly McpTool[];
  readonly nextCursor?: string;
}

/** The tools a session may use, sorted by name, a page at a time. */
@injectable()
export class ListToolsHandler {
  constructor(
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ToolNaming) private readonly naming: ToolNaming,
  ) {}

  handle(query: ListToolsQuery): Result<ToolPage> {
    const ready = this.sessions.get(query.sessionId)?.checkReady();
    if (ready === undefined)
      return Result.failure('There is no such session; open one first.', 'SessionNotReady');
    if (!ready.success) return ready;
    const visible = this.visible(ready.value, query.category);
    const page = pageAfter(visible, ({ tool }) => tool.name, query.cursor);
    if (!page.success) return page;
    const { items, nextCursor } = page.value;
    return Result.ok({
      tools: items.map(({ tool }) => tool.toMcpFormat(this.naming.prefix)),
      ...(nextCursor !== undefined && { nextCursor }),
    });
  }

  private visible(session: Session, category: string | undefined): readonly RunnableTool[] {
    const { policy } = this.policies.current();
    return this.tools
      .list(category)
      .filter(
        ({ tool }) =>
          tool.enabled && session.canSee(tool.name) && policy.couldAllow(session.caller, tool.name),
      );
  }
}
