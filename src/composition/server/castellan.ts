import type { RequestListener } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Container } from 'inversify';
import { Cancellation } from '../../application/call/cancellation.js';
import { PromptCatalogue, type RenderedPrompt } from '../../application/prompt/prompt-catalogue.js';
import { CallerSessions } from '../../application/session/caller-sessions.js';
import { ExecuteInWorkflow } from '../../application/session/execute-in-workflow.js';
import { WORKFLOW_META } from '../../application/session/workflow-contexts.js';
import { ListToolsHandler } from '../../application/tool/list-tools.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { ToolVisibility } from '../../application/tool/tool-visibility.js';
import type { Result } from '../../domain/result.js';
import { type Caller, LOCAL_EMBEDDED } from '../../domain/session/caller.js';
import type { Session } from '../../domain/session/session.js';
import { asError } from '../../domain/thrown.js';
import type { McpTool, Tool } from '../../domain/tool/tool.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { ToolResult } from '../../domain/tool/tool-result.js';
import { StdioServer } from '../../presentation/mcp/stdio/stdio-server.js';
import { readConfiguration } from '../configuration/configuration.js';
import { checkBindings, createContainer } from '../container.js';
import { sharedModule } from '../modules/shared-module.js';
import type { HttpService, Listening, ListenOptions } from './http-service.js';
import { HttpSetup } from './http-setup.js';
import { beginServer, endServer } from './lifecycle.js';
import { packageVersion } from './package-version.js';
import { type Preparation, prepareSoon } from './prepare-soon.js';
import { keepGlobalFlags, withOwnProject } from './principal-flags.js';
import { redactLogs } from './redact-logs.js';
import { servedBy, serverOf } from './served-by.js';
import { ToolRegistrar } from './tool-registrar.js';

/** Who makes a call in process, and how it can be stopped. */
export interface ExecuteOptions {
  /** Whose roles and limits apply; the process itself where absent. */
  readonly caller?: Caller;
  /** The handle of a workflow that prompt() of the same caller has begun. */
  readonly workflow?: string;
  readonly signal?: AbortSignal;
}

/** A running Castellan: its tools, its container, and the ways to reach them. */
export class Castellan {
  readonly #served = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;
  #http: Promise<HttpService> | undefined;
  readonly #registrar: ToolRegistrar;

  private constructor(readonly container: Container) {
    this.#registrar = new ToolRegistrar(container);
  }

  /** For a container that has our module loaded, whoever made it. Throws when something is missing. */
  static open(container: Container): Castellan {
    checkBindings(container);
    redactLogs(container);
    const castellan = new Castellan(container);
    castellan.#registrar.registerAll();
    return castellan;
  }

  /** Follows the policy from here on; before the first call. */
  async begin(): Promise<void> {
    await beginServer(this.container);
  }

  /** One call through the whole pipeline, in process. */
  async execute(
    toolName: string,
    args: Readonly<Record<string, unknown>> = {},
    { caller, workflow, signal }: ExecuteOptions = {},
  ): Promise<Result<ToolResult, ToolError>> {
    const cancellation = signal ? Cancellation.following(signal) : new Cancellation();
    try {
      return await this.container.get(ExecuteInWorkflow).handle({
        sessionId: this.sessionOf(caller).id,
        toolName,
        // A copy: what a tool is given is frozen, and the caller's own object should not be.
        arguments: structuredClone(args),
        cancellation,
        ...(workflow !== undefined && { meta: { [WORKFLOW_META]: workflow } }),
      });
    } finally {
      cancellation.release();
    }
  }

  /** A prompt with its arguments filled in, as prompts/get gives it, and the workflow that it begins. */
  prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    { caller }: Pick<ExecuteOptions, 'caller'> = {},
  ): Promise<Result<RenderedPrompt>> {
    return this.container.get(PromptCatalogue).get(this.sessionOf(caller).id, name, args);
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

  /** Adds a tool while the server runs; clients are told. A failure says what is wrong with the definition. */
  registerTool(definition: ToolDefinition): Result<Tool> {
    return this.#registrar.register(definition);
  }

  /** Puts a tool in the place of the one with its name. After a failure the old one is still there. */
  replaceTool(definition: ToolDefinition): Result<Tool> {
    return this.#registrar.replace(definition);
  }

  /** Returns false if there is no such tool. */
  unregisterTool(name: string): boolean {
    return this.#registrar.unregister(name);
  }

  /** The session does not see the tool any more, whatever others see. false: there is no such tool. */
  hideTool(name: string, session: Session = this.session): boolean {
    return this.container.get(ToolVisibility).hide(session, name);
  }

  showTool(name: string, session: Session = this.session): boolean {
    return this.container.get(ToolVisibility).show(session, name);
  }

  /** The session that execute() uses where no caller is named, begun by the first who asks for it. */
  get session(): Session {
    return this.sessionOf();
  }

  /** The session that execute() uses for this caller. */
  sessionOf(caller: Caller = LOCAL_EMBEDDED): Session {
    return this.container.get(CallerSessions).of(caller, { name: 'embedded', version: packageVersion });
  }

  /** Serves one client over any pair of streams, until it hangs up or close() is called. */
  async serve(input: Readable, output: Writable, options: { readonly caller?: Caller } = {}): Promise<void> {
    await this.#untilServed(this.container.get(StdioServer).serve(input, output, options));
  }

  /**
   * Serves one client over standard input and output, until it hangs up or close() is called. Where nothing else
   * keeps the process alive then, it closes and ends.
   */
  async serveStdio(input: Readable = process.stdin): Promise<void> {
    let preparation: Preparation | undefined;
    const onOpen = (session: Session): void => {
      preparation = prepareSoon(this.container, session);
    };
    const served = this.container.get(StdioServer).serve(input, process.stdout, { onOpen });
    await this.#untilServed(served.finally(() => preparation?.end()));
    process.once('beforeExit', () => void this.close());
  }

  async #untilServed(served: Promise<void>): Promise<void> {
    this.#served.add(served);
    try {
      await served;
    } finally {
      this.#served.delete(served);
    }
  }

  /** Serves many clients over HTTP until close() is called. Resolves when it listens. */
  async listen(options: ListenOptions = {}): Promise<Listening> {
    return (await this.#openHttp(options)).listen(options);
  }

  /**
   * The MCP endpoint for a server of your own: node:http and express take it as it is, fastify with the raw request
   * and reply. Whatever path it is mounted at is the endpoint.
   */
  readonly httpHandler: RequestListener = (request, response) => {
    this.#openHttp().then(
      (http) => http.handler(request, response),
      (error: unknown) => response.destroy(asError(error)),
    );
  };

  /** The same for servers that speak the Web's Request and Response, such as hono. */
  readonly fetch = async (request: Request): Promise<Response> => (await this.#openHttp()).fetch(request);

  #openHttp(options?: ListenOptions): Promise<HttpService> {
    const serve = (folder: string) => this.#serveFolder(folder);
    this.#http ??= import('./http-service.js').then(({ HttpService }) =>
      HttpService.open(this.container, servedBy(this.container), serve, options),
    );
    return this.#http;
  }

  /** The same policy, settings and tools in another folder, for a principal that has one of its own. */
  async #serveFolder(workspace: string) {
    const { workspace: root, ...setup } = this.container.get(HttpSetup);
    const given = { ...setup.options, workspace };
    const configuration = await readConfiguration(given, undefined, root);
    if (configuration.workspace !== workspace) throw new Error(`${workspace} has become a link.`);
    const options = withOwnProject(given, configuration, root);
    const shared = await sharedModule(configuration, options, this.container);
    const other = Castellan.open(keepGlobalFlags(createContainer(configuration, options, shared)));
    await other.begin();
    other.#registrar.follow(this.#registrar);
    return serverOf(other.container, () => other.close());
  }

  /** Lets calls under way end, then closes everything that was opened. May be called more than once. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#registrar.stopFollowing();
    this.container.get(StdioServer).stop();
    await (await this.#http?.catch(() => undefined))?.close();
    // What is still running must find the audit log open.
    await Promise.allSettled(this.#served);
    await endServer(this.container);
  }
}
