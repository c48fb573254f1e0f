import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { Cancellation } from '../../src/application/call/cancellation.js';
import type { RunnableTool } from '../../src/application/call/runnable-tool.js';
import { SILENT_CHANNEL } from '../../src/application/call/tool-context.js';
import { ExpandTemplate } from '../../src/application/prompt/expand-template.js';
import { PromptCatalogue } from '../../src/application/prompt/prompt-catalogue.js';
import { PromptReferences } from '../../src/application/prompt/prompt-references.js';
import { PromptTools } from '../../src/application/prompt/prompt-tools.js';
import { CallerSessions } from '../../src/application/session/caller-sessions.js';
import { ExecuteInWorkflow } from '../../src/application/session/execute-in-workflow.js';
import type { Sessions } from '../../src/application/session/sessions.js';
import { WorkflowContexts } from '../../src/application/session/workflow-contexts.js';
import { LOCAL_STDIO } from '../../src/domain/session/caller.js';
import { Session } from '../../src/domain/session/session.js';
import { CoalescingResourceNotices } from '../../src/infrastructure/knowledge/coalescing-resource-notices.js';
import { FilePromptSource } from '../../src/infrastructure/prompt/file-prompt-source.js';
import { InMemoryConsumedStates } from '../../src/infrastructure/session/in-memory-consumed-states.js';
import { InMemoryWorkflowStore } from '../../src/infrastructure/session/in-memory-workflow-store.js';
import { sha256Digest } from '../../src/infrastructure/system/sha256-digest.js';
import { Modern2026 } from '../../src/presentation/mcp/modern-2026/modern-2026.js';
import { StateBinding } from '../../src/presentation/mcp/modern-2026/state-binding.js';
import { unpackBatch } from '../../src/presentation/mcp/session-2025/batch-rule.js';
import { Session2025Connection } from '../../src/presentation/mcp/session-2025/session-2025-connection.js';
import { LineTransport } from '../../src/presentation/mcp/stdio/line-transport.js';
import { AnswerWriter } from '../../src/presentation/mcp/surface/answer-writer.js';
import type { ClientNotices } from '../../src/presentation/mcp/surface/client-notices.js';
import { classify, type RpcMessage } from '../../src/presentation/mcp/surface/json-rpc.js';
import { PromptSurface } from '../../src/presentation/mcp/surface/prompt-surface.js';
import type { ProtocolOptions } from '../../src/presentation/mcp/surface/protocol-options.js';
import { ProtocolSurface } from '../../src/presentation/mcp/surface/protocol-surface.js';
import type { WireAnswer } from '../../src/presentation/mcp/surface/result-mapping.js';
import { folderTools } from './folder-tools.js';
import { NO_LIMITS, Pipeline } from './pipeline.js';

export interface WireMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
}

export const OPTIONS: ProtocolOptions = {
  errorStyle: 'result',
  answers: 'envelope',
  maxMessageBytes: 64 * 1024,
  server: { name: 'castellan', title: 'Castellan', version: '0.0.0' },
  instructions: 'Be kind.',
};

export function initialize(version = '2025-11-25', capabilities: object = {}): object {
  return {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: version, capabilities, clientInfo: { name: 'test', version: '1' } },
  };
}

/** No prompt of these tests runs a tool. */
const NO_DIRECT_CALLS = { runIn: () => Promise.reject(new Error('No tool is run here.')) };

export function surfaceOf(pipeline: Pipeline, options: ProtocolOptions): ProtocolSurface {
  const { handler, list, resources, logger, sessions, registry, policies, clock } = pipeline;
  const workflows = new WorkflowContexts(clock, new InMemoryWorkflowStore(clock));
  const template = new ExpandTemplate(
    resources,
    registry,
    policies,
    { prefix: '' },
    new PromptTools(registry, NO_DIRECT_CALLS),
  );
  const source = new FilePromptSource([], folderTools({ root: tmpdir(), state: tmpdir() }), logger);
  const references = new PromptReferences(source, registry, resources, logger);
  const catalogue = new PromptCatalogue(source, sessions, template, workflows, resources, references);
  return new ProtocolSurface(
    new ExecuteInWorkflow(handler, workflows, sessions, registry),
    list,
    resources,
    new PromptSurface(catalogue),
    new CoalescingResourceNotices(),
    logger,
    new AnswerWriter(registry, options, sessions),
  );
}

/** What serves the revision without sessions, beside the connections of a pipeline. */
export function modernOf(
  pipeline: Pipeline,
  surface: ProtocolSurface,
  sessions: Sessions,
  notices: ClientNotices,
): Modern2026 {
  const binding = new StateBinding(
    new InMemoryConsumedStates(pipeline.clock),
    pipeline.policies,
    sha256Digest,
  );
  return new Modern2026(surface, OPTIONS, new CallerSessions(sessions), notices, binding, pipeline.list);
}

/** The one reply to a call of a tool. */
export async function toolAnswer(
  surface: ProtocolSurface,
  sessionId: string,
  params?: Readonly<Record<string, unknown>>,
): Promise<WireAnswer> {
  const answers: WireAnswer[] = [];
  await surface.callTool(sessionId, params, SILENT_CHANNEL, new Cancellation(), async (answer) => {
    answers.push(answer);
  });
  const [answer, ...more] = answers;
  if (answer === undefined || more.length > 0) throw new Error(`There were ${answers.length} replies.`);
  return answer;
}

/** A connection over a pair of in-memory streams, with a client that speaks raw lines. */
export class Wire {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly received: WireMessage[] = [];
  readonly pipeline: Pipeline;
  readonly connection: Session2025Connection;
  readonly transport: LineTransport;
  #text = '';
  #heard: (() => void) | undefined;

  constructor(tools: readonly RunnableTool[] = [], options: Partial<ProtocolOptions> = {}) {
    const all = { ...OPTIONS, ...options };
    this.pipeline = new Pipeline(tools, NO_LIMITS);
    const surface = surfaceOf(this.pipeline, all);
    const session = Session.create('wire', LOCAL_STDIO);
    this.pipeline.sessions.add(session);
    this.transport = new LineTransport(this.input, this.output, all.maxMessageBytes);
    const write = (message: RpcMessage) => this.transport.send(message);
    this.connection = new Session2025Connection(session, surface, all, write);
    this.transport.onvalue = (value) => {
      const { protocolVersion } = this.connection;
      for (const incoming of Array.isArray(value) ? unpackBatch(value, protocolVersion) : [classify(value)])
        this.connection.receive(incoming, write);
    };
    this.output.on('data', (chunk: Buffer) => this.#read(chunk.toString('utf8')));
    void this.transport.start();
  }

  send(...messages: readonly unknown[]): void {
    this.raw(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  raw(text: string | Buffer): void {
    this.input.write(text);
  }

  /** Begins the conversation and answers what initialize gave. */
  async open(version?: string, capabilities?: object): Promise<WireMessage> {
    this.send(initialize(version, capabilities), { jsonrpc: '2.0', method: 'notifications/initialized' });
    return this.answer(0);
  }

  async request(id: number | string, method: string, params?: object): Promise<WireMessage> {
    this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return this.answer(id);
  }

  call(id: number | string, name: string, args: object = {}, meta?: object): Promise<WireMessage> {
    return this.request(id, 'tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  answer(id: number | string | null): Promise<WireMessage> {
    return this.find((message) => message.id === id && message.method === undefined);
  }

  /** The first message that fits, when it has come. */
  async find(fits: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  /** Everything the server had to say by now. */
  async settled(): Promise<readonly WireMessage[]> {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return this.received;
  }

  #read(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.received.push(JSON.parse(line));
    this.#heard?.();
  }
}
