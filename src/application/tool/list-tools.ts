import { inject, injectable } from 'inversify';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import type { McpTool } from '../../domain/tool/tool.js';
import type { RunnableTool } from '../call/runnable-tool.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { SessionStore } from '../ports/session/session-store.js';
import { ToolRegistry } from '../ports/tool/tool-registry.js';
import { pageAfter } from './page-cursor.js';
import { ToolNaming } from './tool-naming.js';
import { Toolsets } from './toolsets.js';

export interface ListToolsQuery {
  readonly sessionId: string;
  readonly category?: string;
  readonly cursor?: string;
}

export interface ToolPage {
  readonly tools: readonly McpTool[];
  readonly nextCursor?: string;
}

/** Lists the tools that a session may use, sorted by name, page by page. */
@injectable()
export class ListToolsHandler {
  constructor(
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ToolNaming) private readonly naming: ToolNaming,
    @inject(Toolsets) private readonly sets: Toolsets,
  ) {}

  handle(query: ListToolsQuery): Result<ToolPage> {
    const ready = this.sessions.get(query.sessionId)?.checkReady();
    if (ready === undefined)
      return Result.failure('There is no such session; open one first.', 'SessionNotReady');
    if (!ready.success) return ready;
    const { policy } = this.policies.current();
    const visible = this.visible(ready.value, policy, query.category);
    const page = pageAfter(visible, ({ tool }) => tool.name, query.cursor);
    if (!page.success) return page;
    const { items, nextCursor } = page.value;
    return Result.ok({
      tools: items.map((tool) => this.described(tool, policy)),
      ...(nextCursor !== undefined && { nextCursor }),
    });
  }

  /** undefined if the session does not see such a tool. */
  find(session: Session, name: string): McpTool | undefined {
    const found = this.tools.get(name);
    const { policy } = this.policies.current();
    return found !== undefined && this.sees(session, found, policy)
      ? this.described(found, policy)
      : undefined;
  }

  /** Byte-identical as long as the policy stays the same. */
  private described({ tool, underPolicy }: RunnableTool, policy: PermissionPolicy): McpTool {
    const format = tool.toMcpFormat(this.naming.prefix);
    return underPolicy === undefined
      ? format
      : { ...format, description: `${format.description} ${underPolicy(policy)}` };
  }

  private visible(
    session: Session,
    policy: PermissionPolicy,
    category: string | undefined,
  ): readonly RunnableTool[] {
    const isShown = this.sets.shownTo(session);
    return this.tools
      .list(category)
      .filter((tool) => this.sees(session, tool, policy))
      .filter(({ tool }) => isShown(tool));
  }

  private sees(session: Session, { tool }: RunnableTool, policy: PermissionPolicy): boolean {
    return tool.enabled && session.canSee(tool.name) && policy.couldAllow(session.caller, tool.name);
  }
}
