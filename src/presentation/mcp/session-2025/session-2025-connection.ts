import { Cancellation } from '../../../application/call/cancellation.js';
import type { ResourceNotice } from '../../../application/ports/resource/resource-notices.js';
import { isJsonObject } from '../../../domain/json-value.js';
import type { Session } from '../../../domain/session/session.js';
import type { NoticeReader } from '../surface/client-notices.js';
import {
  errorResponse,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Incoming,
  METHOD_NOT_FOUND,
  type ReadableMessage,
  type RequestId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type Write,
} from '../surface/json-rpc.js';
import type { ProtocolOptions } from '../surface/protocol-options.js';
import type { ProtocolSurface } from '../surface/protocol-surface.js';
import type { WireAnswer } from '../surface/result-mapping.js';
import { LogLevelFilter } from './log-level.js';
import { answerToOwn, namedQuestion } from './question-names.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';
import type { SdkServer } from './sdk-server.js';
import { type ClientLine, Session2025CallChannel } from './session-2025-call-channel.js';
import { answerInitialize, wantedToolsets } from './session-2025-handshake.js';

interface OpenCall {
  readonly cancellation: Cancellation;
  readonly write: Write;
}

/**
 * One client of the 2025 era. What the client asks is answered here and only here, from the surface; what we
 * ask of the client (its user, its model) goes through the SDK's Server, which is loaded for the first question.
 * Each request brings its own way back; only notices of changes use the connection's.
 */
export class Session2025Connection implements ClientLine, NoticeReader {
  readonly logLevel = new LogLevelFilter();
  /** Called after each good handshake. */
  onready?: () => void;
  readonly #calls = new Map<RequestId, OpenCall>();
  readonly #open = new Set<RpcRequest>();
  readonly subscriptions = new ResourceSubscriptions();
  #initialize: RpcRequest | undefined;
  #version: string | undefined;
  #sdk: Promise<SdkServer> | undefined;
  #whenIdle: (() => void) | undefined;

  constructor(
    readonly session: Session,
    private readonly surface: ProtocolSurface,
    private readonly options: ProtocolOptions,
    private readonly notify: Write,
    /** Before the ids of what this instance asks: an answer that comes to another one finds its way back. */
    private readonly asker = '',
  ) {}

  /** What the client began with; undefined before. */
  get handshake(): RpcRequest | undefined {
    return this.#initialize;
  }

  /** Goes on with a conversation that began at another instance. */
  resume(initialize: RpcRequest): void {
    this.#shakeHands(initialize);
  }

  /** What initialize agreed on; undefined before. */
  get protocolVersion(): string | undefined {
    return this.#version;
  }

  /** Someone who speaks these revisions has come and not gone. */
  get #hasClient(): boolean {
    return this.#version !== undefined && this.session.state === 'ready';
  }

  get clientCapabilities(): Readonly<Record<string, unknown>> {
    const capabilities = this.#initialize?.params?.capabilities;
    return isJsonObject(capabilities) ? capabilities : {};
  }

  /**
   * `write` is the way back for everything that concerns this message, `closeStream` what cuts it while a call goes
   * on. A request is over when the promise resolves, or at once where there is none; a cancelled one has no answer.
   */
  receive(incoming: Incoming, write: Write, closeStream?: () => void): Promise<void> | undefined {
    switch (incoming.kind) {
      case 'request':
        this.#open.add(incoming.message);
        return this.#request(incoming.message, write, closeStream);
      case 'notification':
        this.#notification(incoming.message);
        break;
      case 'response':
        // Only what the SDK asked has an answer; without it the answer is a stray one.
        if (this.#sdk !== undefined) this.#forward(answerToOwn(incoming, this.asker));
        break;
      case 'invalid':
        void write(errorResponse(incoming.id, INVALID_REQUEST, `Invalid Request: ${incoming.why}.`));
        break;
      case 'stray':
        break;
    }
    return undefined;
  }

  sdk(): Promise<SdkServer> {
    const initialize = this.#initialize;
    if (initialize === undefined) return Promise.reject(new Error('The client has not initialized.'));
    this.#sdk ??= import('./sdk-server.js').then(({ SdkServer }) =>
      SdkServer.open(this.options, initialize, (message, id) => this.#ask(message, id)),
    );
    return this.#sdk;
  }

  /** Tells the client that the tools it may use have changed. */
  announceTools(): void {
    if (!this.#hasClient) return;
    void this.notify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /** Tells the client that there are other prompts, or that one has changed. */
  announcePrompts(): void {
    if (!this.#hasClient) return;
    void this.notify({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
  }

  /** Tells the client of resources it has subscribed to, and that there are others. */
  announceResources(notice: ResourceNotice): void {
    const message = this.#hasClient ? this.subscriptions.notificationFor(notice) : undefined;
    if (message !== undefined) void this.notify(message);
  }

  /** Resolves when every request has its answer. */
  idle(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  /** Stops what is still running; each stopped call is recorded and answered. */
  stopCalls(): void {
    for (const { cancellation } of this.#calls.values()) cancellation.cancel('closing');
  }

  async close(): Promise<void> {
    this.stopCalls();
    this.session.close();
    await (await this.#sdk)?.close();
  }

  #request(request: RpcRequest, write: Write, closeStream?: () => void): Promise<void> | undefined {
    switch (request.method) {
      case 'initialize':
        return this.#answer(request, write, this.#shakeHands(request));
      case 'ping':
        return this.#answer(request, write, { result: {} });
      case 'tools/call':
        return this.#ready(request, write) ? this.#call(request, write, closeStream) : undefined;
      case 'logging/setLevel':
        return this.#answer(request, write, this.logLevel.answer(request.params?.level));
      default:
        return this.#ready(request, write) ? this.#serve(request, write) : undefined;
    }
  }

  async #serve(request: RpcRequest, write: Write): Promise<void> {
    const answer = await this.surface.answer(request.method, this.session.id, request.params);
    this.#answer(
      request,
      write,
      (answer && this.subscriptions.follow(request, answer)) ?? {
        error: { code: METHOD_NOT_FOUND, message: `Method not found: ${request.method.slice(0, 100)}` },
      },
    );
  }

  #shakeHands(request: RpcRequest): WireAnswer {
    const handshake = answerInitialize(request.params, this.options);
    if (!handshake.success) return { error: { code: INVALID_PARAMS, message: handshake.error } };
    const begun = this.session.initialize(handshake.value.client);
    if (!begun.success) return { error: { code: INVALID_REQUEST, message: begun.error } };
    const sets = wantedToolsets(request.params);
    if (sets !== undefined) this.session.chooseToolsets(sets);
    this.#initialize = request;
    this.#version = handshake.value.version;
    this.onready?.();
    return { result: handshake.value.answer };
  }

  #ready(request: RpcRequest, write: Write): boolean {
    const ready = this.session.checkReady();
    if (!ready.success)
      this.#answer(request, write, { error: { code: INVALID_REQUEST, message: ready.error } });
    return ready.success;
  }

  async #call(request: RpcRequest, write: Write, closeStream?: () => void): Promise<void> {
    const cancellation = new Cancellation();
    const call = { cancellation, write };
    this.#calls.set(request.id, call);
    const channel = new Session2025CallChannel(this, request, write, closeStream);
    const reply = (answer: WireAnswer): Promise<void> => {
      if (this.#calls.get(request.id) === call) this.#calls.delete(request.id);
      // The specification: a cancelled request gets no answer.
      if (cancellation.reason === 'caller') return Promise.resolve();
      return write({ jsonrpc: '2.0', id: request.id, ...answer });
    };
    await this.surface.callTool(this.session.id, request.params, channel, cancellation, reply);
    this.#done(request);
  }

  #notification(message: RpcNotification): void {
    const { method, params } = message;
    if (method === 'notifications/cancelled') {
      const id = params?.requestId;
      const call = typeof id === 'string' || typeof id === 'number' ? this.#calls.get(id) : undefined;
      call?.cancellation.cancel('caller');
    }
    // What came before the SDK was needed concerned only what is answered here.
    if (this.#sdk !== undefined) this.#forward({ kind: 'notification', message });
  }

  #forward(message: ReadableMessage): void {
    void this.sdk().then((sdk) => sdk.receive(message));
  }

  /** A question leaves by the way back of the call that asks it. */
  #ask(message: RpcMessage, requestId: RequestId | undefined): Promise<void> {
    const call = requestId === undefined ? undefined : this.#calls.get(requestId);
    return (call?.write ?? this.notify)(namedQuestion(message, this.asker));
  }

  #answer(request: RpcRequest, write: Write, answer: WireAnswer): undefined {
    void write({ jsonrpc: '2.0', id: request.id, ...answer });
    this.#done(request);
  }

  #done(request: RpcRequest): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#whenIdle?.();
  }
}
