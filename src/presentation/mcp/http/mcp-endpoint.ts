import type { CallerAuthenticator } from '../../../application/ports/session/caller-authenticator.js';
import type { EventStore } from '../../../application/ports/session/event-store.js';
import type { Logger } from '../../../application/ports/system/logger.js';
import { type Caller, callerKey } from '../../../domain/session/caller.js';
import { MODERN_VERSION } from '../modern-2026/modern-2026.js';
import { challengeFor } from './challenge.js';
import type { HttpExchange } from './http-exchange.js';
import { checkGet, checkOrigin, checkVersion, type Refusal } from './http-guards.js';
import type { HttpOptions } from './http-options.js';
import type { HttpSession } from './http-session.js';
import { type HomeOf, HttpSessions } from './http-sessions.js';
import { McpPost, NO_SESSION, SESSION_GONE } from './mcp-post.js';
import { STREAM_HEADERS } from './message-stream.js';
import type { Refusals } from './refusals.js';

const ALLOW = { Allow: 'GET, POST, DELETE' };
/** Without sessions there is nothing to listen to and nothing to end. */
const ONLY_POST: Refusal = { status: 405, message: 'Method Not Allowed.', headers: { Allow: 'POST' } };
const DRAINING: Refusal = {
  status: 503,
  message: 'Service Unavailable: the server is shutting down; try again shortly.',
  headers: { 'Retry-After': '5', Connection: 'close' },
};
const SWEEP_MS = 5000;

/** The MCP endpoint: checks each request before its body is read, and hands it to its session. */
export class McpEndpoint {
  readonly sessions: HttpSessions;
  readonly #post: McpPost;
  /** Requests under way, by caller. */
  readonly #requests = new Map<string, number>();
  #sweeper: NodeJS.Timeout | undefined;
  #draining = false;

  constructor(
    homeOf: HomeOf,
    events: EventStore,
    private readonly authenticator: CallerAuthenticator,
    private readonly logger: Logger,
    private readonly options: HttpOptions,
    readonly refusals: Refusals,
  ) {
    this.sessions = new HttpSessions(homeOf, events, options);
    this.#post = new McpPost(this.sessions, options, refusals);
  }

  get requests(): number {
    let all = 0;
    for (const count of this.#requests.values()) all += count;
    return all;
  }

  get draining(): boolean {
    return this.#draining;
  }

  async handle(exchange: HttpExchange): Promise<void> {
    try {
      await this.#handle(exchange);
    } catch (error) {
      this.logger.error('An HTTP request could not be answered', { error });
      this.refusals.send(exchange, {
        status: 500,
        code: -32603,
        message: 'Internal error; the log has the cause.',
      });
    }
  }

  /** New requests are refused from here on; resolves when those under way are answered and every session is over. */
  async drain(): Promise<void> {
    this.#draining = true;
    await this.sessions.endAll();
    clearInterval(this.#sweeper);
  }

  async #handle(exchange: HttpExchange): Promise<void> {
    if (this.#draining) return this.refusals.send(exchange, DRAINING);
    const foreign = checkOrigin(exchange, this.options);
    if (foreign !== undefined) return this.refusals.send(exchange, foreign);
    const asked = this.authenticator.authenticate(exchange.header('authorization'));
    const who = asked instanceof Promise ? await asked : asked;
    if (who.kind !== 'caller') return this.refusals.send(exchange, challengeFor(who, this.options));
    const key = callerKey(who.caller);
    const open = this.#requests.get(key) ?? 0;
    if (open >= this.options.maxRequestsPerCaller) return this.refusals.send(exchange, tooMany(open));
    this.#requests.set(key, open + 1);
    try {
      await this.#dispatch(exchange, who.caller);
    } finally {
      const left = (this.#requests.get(key) ?? 1) - 1;
      if (left > 0) this.#requests.set(key, left);
      else this.#requests.delete(key);
    }
  }

  #dispatch(exchange: HttpExchange, caller: Caller): Promise<void> | void {
    const isModern = exchange.header('mcp-protocol-version') === MODERN_VERSION;
    if (isModern && exchange.method !== 'POST') return this.refusals.send(exchange, ONLY_POST);
    switch (exchange.method) {
      case 'POST':
        this.#sweepFromNowOn();
        return this.#post.handle(exchange, caller);
      case 'GET':
        return this.#get(exchange, caller);
      case 'DELETE':
        return this.#delete(exchange, caller);
      default:
        return this.refusals.send(exchange, { status: 405, message: 'Method Not Allowed.', headers: ALLOW });
    }
  }

  async #get(exchange: HttpExchange, caller: Caller): Promise<void> {
    const wrong = checkGet(exchange);
    if (wrong !== undefined) return this.refusals.send(exchange, wrong);
    const session = this.#session(exchange, caller);
    if (session === undefined) return;
    session.use();
    try {
      await this.#stream(exchange, session);
    } finally {
      session.release();
    }
  }

  async #stream(exchange: HttpExchange, session: HttpSession): Promise<void> {
    const headers = { ...STREAM_HEADERS, 'Mcp-Session-Id': session.id };
    const last = exchange.header('last-event-id');
    if (last === undefined) {
      session.openStanding(exchange.stream(headers), this.#post.primes(session));
      return;
    }
    const [, streamId = '', sequence = ''] = /^([a-z0-9]{1,12})_(\d{1,9})$/.exec(last) ?? [];
    const stream = session.streamOf(streamId);
    const missed = await stream?.missedSince(Number(sequence));
    if (stream === undefined || missed === undefined) {
      const message = 'Bad Request: what followed this Last-Event-ID is no longer kept.';
      return this.refusals.send(exchange, { status: 400, message });
    }
    stream.resume(exchange.stream(headers), missed);
  }

  async #delete(exchange: HttpExchange, caller: Caller): Promise<void> {
    const wrong = checkVersion(exchange);
    if (wrong !== undefined) return this.refusals.send(exchange, wrong);
    const session = this.#session(exchange, caller);
    if (session === undefined) return;
    // What is under way ends in its own time; nobody can reach the session any more.
    void this.sessions.end(session);
    exchange.send(200, {});
  }

  /** Answers the request itself where there is no such session. */
  #session(exchange: HttpExchange, caller: Caller): HttpSession | undefined {
    const id = exchange.header('mcp-session-id');
    const session = id === undefined ? undefined : this.sessions.get(id, caller);
    if (session === undefined) this.refusals.send(exchange, id === undefined ? NO_SESSION : SESSION_GONE);
    return session;
  }

  #sweepFromNowOn(): void {
    this.#sweeper ??= setInterval(() => {
      this.sessions.sweep();
      this.#post.sweep();
    }, SWEEP_MS).unref();
  }
}

function tooMany(open: number): Refusal {
  const message = `Too Many Requests: ${open} of your requests are under way; wait for one to be answered.`;
  return { status: 429, message, headers: { 'Retry-After': '1' } };
}
