import type { ResourceNotice } from '../../application/ports/resource/resource-notices.js';
import { Cancellation } from '../../application/tool/cancellation.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { Session } from '../../domain/session/session.js';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type ReadableMessage,
  type RequestId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from './json-rpc.js';
import { type ClientLine, LegacyCallChannel } from './legacy-call-channel.js';
import { answerInitialize } from './legacy-handshake.js';
import { LOG_LEVELS, LogLevelFilter } from './log-level.js';
import type { ProtocolOptions } from './protocol-options.js';
import type { ProtocolSurface } from './protocol-surface.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';
import type { WireAnswer } from './result-mapping.js';
import type { SdkServer } from './sdk-server.js';

/**
 * One client of the 2025 era. What the client asks is answered here and only here, from the surface; what we
 * ask of the client (its user, its model) goes through the SDK's Server, which is loaded for the first question.
 */
export class LegacyConnection implements ClientLine {
  readonly logLevel = new LogLevelFilter();
  readonly #calls = new Map<RequestId, Cancellation>();
  readonly #open = new Set<RpcRequest>();
  readonly #subscriptions = new ResourceSubscriptions();
  #initialize: RpcRequest | undefined;
  #sdk: Promise<SdkServer> | undefined;
  #whenIdle: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly surface: ProtocolSurface,
    private readonly options: ProtocolOptions,
    readonly write: (message: RpcMessage) => Promise<void>,
    private readonly onVersion: (version: string) => void,
  ) {}

  get clientCapabilities(): Readonly<Record<string, unknown>> {
    const capabilities = this.#initialize?.params?.capabilities;
    return isJsonObject(capabilities) ? capabilities : {};
  }

  receive(incoming: ReadableMessage): void {
    switch (incoming.kind) {
      case 'request':
        this.#open.add(incoming.message);
        this.#request(incoming.message);
        break;
      case 'notification':
        this.#notification(incoming.message);
        break;
      case 'response':
        // Only what the SDK asked has an answer; without it the answer is a stray one.
        if (this.#sdk !== undefined) this.#forward(incoming);
        break;
    }
  }

  sdk(): Promise<SdkServer> {
    const initialize = this.#initialize;
    if (initialize === undefined) return Promise.reject(new Error('The client has not initialized.'));
    this.#sdk ??= import('./sdk-server.js').then(({ SdkServer }) =>
      SdkServer.open(this.options, initialize, this.write),
    );
    return this.#sdk;
  }

  /** Tells the client that the tools it may use have changed. */
  announceTools(): void {
    if (this.session.state !== 'ready') return;
    void this.write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /** Tells the client that there are other prompts, or that one has changed. */
  announcePrompts(): void {
    if (this.session.state !== 'ready') return;
    void this.write({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
  }

  /** Tells the client of resources it has subscribed to, and that there are others. */
  announceResources(notice: ResourceNotice): void {
    const message = this.session.state === 'ready' ? this.#subscriptions.wordOf(notice) : undefined;
    if (message !== undefined) void this.write(message);
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
    for (const call of this.#calls.values()) call.cancel('closing');
  }

  async close(): Promise<void> {
    this.stopCalls();
    this.session.close();
    await (await this.#sdk)?.close();
  }

  #request(request: RpcRequest): void {
    switch (request.method) {
      case 'initialize':
        this.#answer(request, this.#shakeHands(request));
        break;
      case 'ping':
        this.#answer(request, { result: {} });
        break;
      case 'tools/call':
        if (this.#ready(request)) void this.#call(request);
        break;
      case 'logging/setLevel':
        this.#answer(request, this.#setLogLevel(request.params?.level));
        break;
      default:
        if (this.#ready(request)) void this.#serve(request);
    }
  }

  async #serve(request: RpcRequest): Promise<void> {
    const answer = await this.surface.answer(request.method, this.session.id, request.params);
    this.#answer(
      request,
      (answer && this.#subscriptions.follow(request, answer)) ?? {
        error: { code: METHOD_NOT_FOUND, message: `Method not found: ${request.method.slice(0, 100)}` },
      },
    );
  }

  #shakeHands(request: RpcRequest): WireAnswer {
    const handshake = answerInitialize(request.params, this.options);
    if (!handshake.success) return { error: { code: INVALID_PARAMS, message: handshake.error } };
    const begun = this.session.initialize(handshake.value.client);
    if (!begun.success) return { error: { code: INVALID_REQUEST, message: begun.error } };
    this.#initialize = request;
    this.onVersion(handshake.value.version);
    return { result: handshake.value.answer };
  }

  #setLogLevel(level: unknown): WireAnswer {
    if (this.logLevel.set(level)) return { result: {} };
    const message = `logging/setLevel: level must be one of ${LOG_LEVELS.join(', ')}.`;
    return { error: { code: INVALID_PARAMS, message } };
  }

  #ready(request: RpcRequest): boolean {
    const ready = this.session.checkReady();
    if (!ready.success) this.#answer(request, { error: { code: INVALID_REQUEST, message: ready.error } });
    return ready.success;
  }

  async #call(request: RpcRequest): Promise<void> {
    const cancellation = new Cancellation();
    this.#calls.set(request.id, cancellation);
    const channel = new LegacyCallChannel(this, request);
    const reply = (answer: WireAnswer): Promise<void> => {
      if (this.#calls.get(request.id) === cancellation) this.#calls.delete(request.id);
      // The specification: a cancelled request gets no answer.
      return cancellation.reason === 'caller' ? Promise.resolve() : this.#send(request, answer);
    };
    await this.surface.callTool(this.session.id, request.params, channel, cancellation, reply);
    this.#done(request);
  }

  #notification(message: RpcNotification): void {
    const { method, params } = message;
    if (method === 'notifications/cancelled') {
      const id = params?.requestId;
      const call = typeof id === 'string' || typeof id === 'number' ? this.#calls.get(id) : undefined;
      call?.cancel('caller');
    }
    // What came before the SDK was needed concerned only what is answered here.
    if (this.#sdk !== undefined) this.#forward({ kind: 'notification', message });
  }

  #forward(message: ReadableMessage): void {
    void this.sdk().then((sdk) => sdk.receive(message));
  }

  #answer(request: RpcRequest, answer: WireAnswer): void {
    void this.#send(request, answer);
    this.#done(request);
  }

  #send(request: RpcRequest, answer: WireAnswer): Promise<void> {
    return this.write({ jsonrpc: '2.0', id: request.id, ...answer });
  }

  #done(request: RpcRequest): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#whenIdle?.();
  }
}
