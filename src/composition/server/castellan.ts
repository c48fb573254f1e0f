import type { Readable } from 'node:stream';
import type { Container } from 'inversify';
import { ToolSwitchboard } from '../../application/flag/tool-switchboard.js';
import { CommandGrounds } from '../../application/ports/command/command-ground.js';
import { FlagStore } from '../../application/ports/flag/flag-store.js';
import { DocumentLibrary } from '../../application/ports/knowledge/document-library.js';
import { PromptSource } from '../../application/ports/prompt/prompt-source.js';
import { SessionStore } from '../../application/ports/session/session-store.js';
import { IdSource } from '../../application/ports/system/id-source.js';
import { Cancellation } from '../../application/tool/cancellation.js';
import { ExecuteToolHandler } from '../../application/tool/execute-tool.js';
import { ListToolsHandler } from '../../application/tool/list-tools.js';
import { ToolVisibility } from '../../application/tool/tool-visibility.js';
import type { Result } from '../../domain/result.js';
import { LOCAL_EMBEDDED } from '../../domain/session/caller.js';
import { Session } from '../../domain/session/session.js';
import type { McpTool } from '../../domain/tool/tool.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { StdioServer } from '../../presentation/mcp/stdio-server.js';
import { checkBindings } from '../container.js';
import { Lifecycle } from './lifecycle.js';
import { packageVersion } from './package-version.js';
import { registerTools } from './register-tools.js';

/** A running Castellan: its tools, its container, and the ways to reach them. */
export class Castellan {
  #session: Session | undefined;
  #served: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  private constructor(readonly container: Container) {}

  /** For a container that has all of our modules loaded, whoever made it. Throws when something is missing. */
  static open(container: Container): Castellan {
    checkBindings(container);
    registerTools(container);
    return new Castellan(container);
  }

  /** Follows the policy from here on; before the first call. */
  async begin(): Promise<void> {
    await this.container.get(Lifecycle).begin();
    await this.container.get(ToolSwitchboard).start();
  }

  /** One call through the whole pipeline, in process. */
  async execute(
    toolName: string,
    args: Readonly<Record<string, unknown>> = {},
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Result<ToolResult, ToolError>> {
    const cancellation = options.signal ? Cancellation.following(options.signal) : new Cancellation();
    try {
      return await this.container.get(ExecuteToolHandler).handle({
        sessionId: this.session.id,
        toolName,
        // A copy: what a tool is given is frozen, and the caller's own object should not be.
        arguments: structuredClone(args),
        cancellation,
      });
    } finally {
      cancellation.release();
    }
  }

  /** What tools/list would show to the session of execute(), of one category where one is named. */
  tools(category?: string): readonly McpTool[] {
    const list = this.container.get(ListToolsHandler);
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    do {
      const page = list.handle({
        sessionId: this.session.id,
        ...(category !== undefined && { category }),
        ...(cursor !== undefined && { cursor }),
      });
      if (!page.success) throw new Error(page.error);
      tools.push(...page.value.tools);
      cursor = page.value.nextCursor;
    } while (cursor !== undefined);
    return tools;
  }

  /** The session does not see the tool any more, whatever others see. false: there is no such tool. */
  hideTool(name: string, session: Session = this.session): boolean {
    return this.container.get(ToolVisibility).hide(session, name);
  }

  showTool(name: string, session: Session = this.session): boolean {
    return this.container.get(ToolVisibility).show(session, name);
  }

  /** The session that execute() uses, begun by the first who asks for it. */
  get session(): Session {
    this.#session ??= this.#begin();
    return this.#session;
  }

  #begin(): Session {
    const session = Session.create(this.container.get(IdSource).next(), LOCAL_EMBEDDED);
    session.initialize({ name: 'embedded', version: packageVersion });
    this.container.get(SessionStore).add(session);
    return session;
  }

  /**
   * Serves one client over standard input and output, until it hangs up or close() is called. Where nothing else
   * keeps the process alive then, it closes and ends.
   */
  async serveStdio(input: Readable = process.stdin): Promise<void> {
    this.#served = this.container.get(StdioServer).serve(input, process.stdout);
    await this.#served;
    process.once('beforeExit', () => void this.close());
  }

  /** Lets calls under way end, then closes everything that was opened. May be called more than once. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.container.get(StdioServer).stop();
    // What is still running must find the audit log open.
    await this.#served;
    this.container.get(ToolSwitchboard).stop();
    await this.container.get(CommandGrounds).close();
    await this.container.get(FlagStore).close();
    if (this.#session !== undefined) {
      this.#session.close();
      this.container.get(SessionStore).remove(this.#session.id);
    }
    await this.container.get(DocumentLibrary).close();
    await this.container.get(PromptSource).close();
    await this.container.get(Lifecycle).end();
  }
}
