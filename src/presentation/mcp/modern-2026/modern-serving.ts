import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  InMemoryServerEventBus,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../domain/json-value.js';
import type { Caller } from '../../../domain/session/caller.js';
import type { ClientInfo, Session } from '../../../domain/session/session.js';
import type { HttpExchange } from '../http/http-exchange.js';
import type { Write } from '../surface/json-rpc.js';
import { within } from '../surface/within.js';
import { answerWith, requestOf } from './fetch-bridge.js';
import type { ModernParts } from './modern-parts.js';
import { ModernRequests } from './modern-requests.js';
import { ModernServer } from './modern-server.js';
import { StdioLine } from './stdio-line.js';

const KEEP_ALIVE_MS = 15_000;
const STOP_MS = 2000;

/** Serves 2026-07-28 with the SDK's own handlers: one server for each HTTP request, one for each stdio connection. */
export class ModernServing {
  readonly #requests: ModernRequests;
  readonly #open = new Map<Promise<void>, AbortController>();
  #underWay = 0;

  constructor(private readonly parts: ModernParts) {
    this.#requests = new ModernRequests(parts.surface, parts.binding);
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** A whole exchange; resolves when the answer has left or the client has gone. */
  answer(exchange: HttpExchange, message: unknown, caller: Caller): Promise<void> {
    const gone = new AbortController();
    exchange.onGone(() => gone.abort());
    this.#underWay += 1;
    const done = this.#answer(exchange, message, caller, gone.signal).finally(() => {
      this.#underWay -= 1;
      this.#open.delete(done);
    });
    if (isListen(message)) this.#open.set(done, gone);
    return done;
  }

  async #answer(
    exchange: HttpExchange,
    message: unknown,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<void> {
    const session = this.#sessionOf(caller, message);
    const bus = new InMemoryServerEventBus();
    const handler = createMcpHandler(() => this.#serverFor(session), {
      legacy: 'reject',
      bus,
      keepAliveMs: KEEP_ALIVE_MS,
    });
    const stopNotices = isListen(message) ? this.#publish(session, bus) : undefined;
    try {
      const response = await handler.fetch(requestOf(exchange, signal), { parsedBody: message });
      await answerWith(exchange, response);
    } finally {
      stopNotices?.();
      await handler.close();
    }
  }

  /** A client over a pair of streams, in the session that its connection has. */
  connect(session: Session, write: Write): StdioLine {
    const requests = new ModernRequests(this.parts.surface, this.parts.binding);
    return new StdioLine(requests, write, {
      greet: (message) => session.initialize(clientOf(message)),
      serve: () => this.#serverFor(session, requests),
      notify: (server) => this.#notify(session, server),
    });
  }

  /** Subscriptions end at once, calls in their own time or stopped. */
  async drain(): Promise<void> {
    for (const gone of this.#open.values()) gone.abort();
    await this.#requests.drain();
    await within(Promise.allSettled(this.#open.keys()), STOP_MS);
  }

  #serverFor(session: Session, requests = this.#requests): ModernServer {
    return new ModernServer(this.parts.options, session, this.parts.tools, requests);
  }

  #sessionOf(caller: Caller, message: unknown): Session {
    const client = clientOf(message);
    const session = this.parts.callers.of(caller, client);
    // Each request says anew what its client can do.
    if (session.client?.sampling !== client.sampling && session.state === 'ready') session.initialize(client);
    return session;
  }

  #publish(session: Session, bus: InMemoryServerEventBus): () => void {
    return this.#follow(session, {
      announceTools: () => bus.publish({ kind: 'tools_list_changed' }),
      announcePrompts: () => bus.publish({ kind: 'prompts_list_changed' }),
      announceListed: () => bus.publish({ kind: 'resources_list_changed' }),
      announceUpdated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
    });
  }

  #notify(session: Session, { server }: ModernServer): () => void {
    // A connection that has just closed has nobody to tell.
    const quietly = (sent: Promise<void>) => void sent.catch(() => undefined);
    return this.#follow(session, {
      announceTools: () => quietly(server.sendToolListChanged()),
      announcePrompts: () => quietly(server.sendPromptListChanged()),
      announceListed: () => quietly(server.sendResourceListChanged()),
      announceUpdated: (uri) => quietly(server.sendResourceUpdated({ uri })),
    });
  }

  #follow(session: Session, reader: ChangeReader): () => void {
    const { notices } = this.parts;
    const stopListening = notices.listen({
      session,
      announceTools: reader.announceTools,
      announcePrompts: reader.announcePrompts,
      announceResources: (notice) =>
        notice.kind === 'updated' ? reader.announceUpdated(notice.uri) : reader.announceListed(),
    });
    const stopFollowing = notices.followSoon(session.id);
    return () => {
      stopListening();
      stopFollowing();
    };
  }
}

interface ChangeReader {
  readonly announceTools: () => void;
  readonly announcePrompts: () => void;
  readonly announceListed: () => void;
  readonly announceUpdated: (uri: string) => void;
}

function isListen(message: unknown): boolean {
  return isJsonObject(message) && message.method === 'subscriptions/listen';
}

const UNKNOWN_CLIENT: ClientInfo = { name: 'unknown', version: 'unknown' };

/** Clients should say who they are; those that do not are served all the same. */
function clientOf(message: unknown): ClientInfo {
  const params = isJsonObject(message) && isJsonObject(message.params) ? message.params : {};
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const info = meta[CLIENT_INFO_META_KEY];
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  const named =
    isJsonObject(info) && typeof info.name === 'string' && typeof info.version === 'string'
      ? { name: info.name, version: info.version }
      : UNKNOWN_CLIENT;
  const sampling = isJsonObject(capabilities) && isJsonObject(capabilities.sampling);
  return { ...named, ...(sampling && { sampling }) };
}
