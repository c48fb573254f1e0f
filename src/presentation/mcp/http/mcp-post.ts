import type { Turns } from '../../../application/ports/system/turns.js';
import type { Caller } from '../../../domain/session/caller.js';
import { claimsModern, MODERN_VERSION } from '../modern-2026/modern-2026.js';
import { unpackBatch } from '../session-2025/batch-rule.js';
import { classify, type Incoming, type RequestId, type RpcMessage } from '../surface/json-rpc.js';
import type { HttpExchange, HttpHeaders } from './http-exchange.js';
import { checkPost, checkVersion, type Refusal } from './http-guards.js';
import type { HttpOptions } from './http-options.js';
import type { HttpSession } from './http-session.js';
import type { HttpSessions } from './http-sessions.js';
import { LongMessages } from './long-messages.js';
import { PostReply } from './post-reply.js';
import { readMessage } from './read-message.js';
import type { Refusals } from './refusals.js';
import type { SessionRouting } from './session-routing.js';
import { withTraceContext } from './trace-context.js';

/** The first revision whose clients understand an event that only carries an id. */
const PRIMED_VERSION = '2025-11-25';
const BATCH_VERSION = '2025-03-26';
/** An answer that takes longer is streamed, so that nothing on the way gives the connection up. */
const STREAM_AFTER_MS = 10_000;

/** Messages that a client posts. */
export class McpPost {
  readonly #waiting = new Set<PostReply>();
  readonly #long: LongMessages;

  constructor(
    private readonly sessions: HttpSessions,
    private readonly routing: SessionRouting,
    private readonly options: HttpOptions,
    private readonly refusals: Refusals,
    turns: Turns,
  ) {
    this.#long = new LongMessages(turns);
  }

  async handle(exchange: HttpExchange, caller: Caller): Promise<void> {
    const wrong = checkPost(exchange);
    if (wrong !== undefined) return this.refusals.send(exchange, wrong);
    const parsed = await readMessage(exchange, this.options.maxBodyBytes, this.#long);
    // The client has gone; nobody can be told anything.
    if (parsed === undefined) return;
    if ('refusal' in parsed) return this.refusals.send(exchange, parsed.refusal);
    await this.#long.answering(parsed.length, this.#answerTo(exchange, caller, parsed.value));
  }

  async #answerTo(exchange: HttpExchange, caller: Caller, value: unknown): Promise<void> {
    const message = withTraceContext(value, exchange);
    if (exchange.header('mcp-protocol-version') === MODERN_VERSION || claimsModern(message))
      return this.#modern(exchange, caller, message);
    const unknown = checkVersion(exchange);
    if (unknown !== undefined) return this.refusals.send(exchange, unknown);
    const session = await this.#sessionFor(exchange, caller, message);
    if ('status' in session) return this.refusals.send(exchange, session);
    session.use();
    try {
      await this.#deliver(exchange, session, caller, message);
    } finally {
      session.release();
    }
  }

  async #modern(exchange: HttpExchange, caller: Caller, message: unknown): Promise<void> {
    const home = await this.sessions.homeOf(caller);
    if (!home.success)
      return this.refusals.send(exchange, { status: 403, message: `Forbidden: ${home.error}` });
    const serving = await home.value.modern.serving();
    await serving.answer(exchange, message, caller);
  }

  primes(session: HttpSession): boolean {
    return session.connection.protocolVersion === PRIMED_VERSION;
  }

  /** The session that a request names, or how it is refused. */
  async sessionNamed(exchange: HttpExchange, caller: Caller): Promise<HttpSession | Refusal> {
    const id = exchange.header('mcp-session-id');
    if (id === undefined) return NO_SESSION;
    const known = this.sessions.get(id, caller);
    if (known !== undefined) return known;
    const found = await this.sessions.find(id, caller);
    return found.success ? (found.value ?? SESSION_GONE) : notShared(found.error);
  }

  sweep(): void {
    for (const reply of this.#waiting) if (reply.waitedMs > STREAM_AFTER_MS) reply.beginStream();
  }

  async #sessionFor(exchange: HttpExchange, caller: Caller, value: unknown): Promise<HttpSession | Refusal> {
    if (exchange.header('mcp-session-id') !== undefined) return this.sessionNamed(exchange, caller);
    const message = classify(value);
    if (message.kind !== 'request' || message.message.method !== 'initialize') return NO_SESSION;
    const opened = await this.sessions.open(caller);
    if (opened === undefined) return NO_ROOM;
    return opened.success ? opened.value : { status: 403, message: `Forbidden: ${opened.error}` };
  }

  async #deliver(
    exchange: HttpExchange,
    session: HttpSession,
    caller: Caller,
    value: unknown,
  ): Promise<void> {
    const { connection } = session;
    const incoming = Array.isArray(value)
      ? unpackBatch(value, connection.protocolVersion ?? BATCH_VERSION)
      : [classify(value)];
    const requests = incoming.filter(({ kind }) => kind === 'request' || kind === 'invalid');
    const headers: HttpHeaders = { 'Mcp-Session-Id': session.id };
    const first = incoming[0];
    if (!Array.isArray(value) && first?.kind === 'invalid') {
      return this.refusals.send(exchange, {
        status: 400,
        code: -32600,
        message: `Invalid Request: ${first.why}.`,
      });
    }
    if (requests.length === 0) {
      const delivery = { session, caller, write: async () => undefined, closeStream: () => undefined };
      for (const message of incoming) void this.routing.receive(message, delivery);
      return exchange.send(202, headers);
    }
    const isHandshake =
      !Array.isArray(value) && first?.kind === 'request' && first.message.method === 'initialize';
    // Others know the session as it began.
    if (isHandshake && connection.protocolVersion !== undefined)
      return this.refusals.send(exchange, ALREADY_BEGUN);
    const reply = new PostReply(exchange, {
      requests: requests.length,
      batch: Array.isArray(value),
      headers,
      primed: this.primes(session),
      openStream: () => session.openStream(requests.flatMap(idOf)),
    });
    if (isHandshake && first !== undefined) return this.#begin(exchange, session, first, reply);
    await this.#answer(session, caller, incoming, reply);
  }

  /** The handshake is answered when every instance can go on from there. */
  async #begin(
    exchange: HttpExchange,
    session: HttpSession,
    initialize: Incoming,
    reply: PostReply,
  ): Promise<void> {
    const { connection } = session;
    const answers: RpcMessage[] = [];
    await connection.receive(initialize, async (message) => void answers.push(message));
    const shared = connection.protocolVersion === undefined ? undefined : await this.sessions.share(session);
    if (shared?.success === false) {
      void this.sessions.end(session, 'here');
      return this.refusals.send(exchange, notShared(shared.error));
    }
    for (const answer of answers) await reply.write(answer);
    reply.requestOver();
    // A session whose handshake failed would only wait to expire.
    if (connection.protocolVersion === undefined) void this.sessions.end(session);
  }

  async #answer(
    session: HttpSession,
    caller: Caller,
    incoming: readonly Incoming[],
    reply: PostReply,
  ): Promise<void> {
    this.#waiting.add(reply);
    const delivery = { session, caller, write: reply.write, closeStream: () => reply.closeStream() };
    const one = async (message: Incoming): Promise<void> => {
      await this.routing.receive(message, delivery);
      if (message.kind === 'request' || message.kind === 'invalid') reply.requestOver();
    };
    const [first] = incoming;
    if (incoming.length === 1 && first !== undefined) await one(first);
    else await Promise.all(incoming.map(one));
    this.#waiting.delete(reply);
  }
}

function idOf(incoming: Incoming): readonly RequestId[] {
  return incoming.kind === 'request' ? [incoming.message.id] : [];
}

/** Not a 404: the client would open another session and lose this one. */
export function notShared(why: string): Refusal {
  return {
    status: 503,
    message: `Service Unavailable: sessions cannot be looked up now. ${why}`,
    headers: { 'Retry-After': '2' },
  };
}

const NO_SESSION: Refusal = {
  status: 400,
  message: 'Bad Request: the Mcp-Session-Id header is required; initialize answers with it.',
};

const ALREADY_BEGUN: Refusal = {
  status: 400,
  code: -32600,
  message:
    'Invalid Request: this session is initialized. Send initialize without a session id to open another.',
};

const SESSION_GONE: Refusal = {
  status: 404,
  code: -32001,
  message:
    'Session not found: it has ended or never was. Send initialize without a session id to open another.',
};

const NO_ROOM: Refusal = {
  status: 503,
  message: 'Service Unavailable: there are as many sessions as this server may have; end one with DELETE.',
  headers: { 'Retry-After': '30' },
};
