import type { CallerAuthenticator } from '../../../application/ports/session/caller-authenticator.js';
import type { EventStore } from '../../../application/ports/session/event-store.js';
import type { InstanceLink } from '../../../application/ports/session/instance-link.js';
import type { SessionDirectory } from '../../../application/ports/session/session-directory.js';
import type { Logger } from '../../../application/ports/system/logger.js';
import type { Turns } from '../../../application/ports/system/turns.js';
import { type Caller, callerKey } from '../../../domain/session/caller.js';
import { MODERN_VERSION } from '../modern-2026/modern-2026.js';
import { challengeFor } from './challenge.js';
import type { HttpExchange } from './http-exchange.js';
import { checkGet, checkOrigin, checkVersion, type Refusal } from './http-guards.js';
import type { HttpOptions } from './http-options.js';
import type { HttpSession } from './http-session.js';
import { type HomeOf, HttpSessions } from './http-sessions.js';
import { McpPost, notShared } from './mcp-post.js';
import { STREAM_HEADERS } from './message-stream.js';
import type { Refusals } from './refusals.js';
import { SessionRouting } from './session-routing.js';
import { SessionService } from './session-service.js';
import { parseEventId, StreamResumption } from './stream-resumption.js';

const ALLOW = { Allow: 'GET, POST, DELETE' };
/** Without sessions there is nothing to listen to and nothing to end. */
const ONLY_POST: Refusal = { status: 405, message: 'Method Not Allowed.', headers: { Allow: 'POST' } };
const DRAINING: Refusal = {
  status: 503,
  message: 'Service Unavailable: the server is shutting down; try again shortly.',
  headers: { 'Retry-After': '5', Connection: 'close' },
};
const SWEEP_MS = 5000;

/** What sessions need of the instances together; `isShared`: there may be others. */
export interface SharedPorts {
  readonly events: EventStore;
  readonly directory: SessionDirectory;
  readonly link: InstanceLink;
  readonly isShared: boolean;
}

/** The MCP endpoint: checks each request before its body is read, and hands it to its session. */
export class McpEndpoint {
  readonly sessions: HttpSessions;
  readonly #post: McpPost;
  readonly #streams: StreamResumption;
  /** Requests under way, by caller. */
  readonly #requests = new Map<string, number>();
  #sweeper: NodeJS.Timeout | undefined;
  #draining = false;

  constructor(
    homeOf: HomeOf,
    { events, directory, link, isShared }: SharedPorts,
    private readonly authenticator: CallerAuthenticator,
    private readonly logger: Logger,
    private readonly options: HttpOptions,
    readonly refusals: Refusals,
    turns: Turns,
  ) {
    const instance = isShared ? link.self : '';
    this.sessions = new HttpSessions(homeOf, events, options, directory, instance);
    const routing = new SessionRouting(link, directory, isShared);
    this.#post = new McpPost(this.sessions, routing, options, refusals, turns);
    this.#streams = new StreamResumption(events, link);
    new SessionService(this.sessions, routing, directory, link, logger).begin();
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
    const session = await this.#session(exchange, caller);
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
      this.#streams.claimStanding(session);
      session.openStanding(exchange.stream(headers), this.#post.primes(session));
      return;
    }
    const place = parseEventId(last);
    if (place !== undefined && (await this.#streams.resume(exchange, headers, session, place))) return;
    const message = 'Bad Request: what followed this Last-Event-ID is no longer kept.';
    this.refusals.send(exchange, { status: 400, message });
  }

  async #delete(exchange: HttpExchange, caller: Caller): Promise<void> {
    const wrong = checkVersion(exchange);
    if (wrong !== undefined) return this.refusals.send(exchange, wrong);
    const session = await this.#session(exchange, caller);
    if (session === undefined) return;
    // What is under way ends in its own time; nobody can reach the session any more.
    const closed = await this.sessions.close(session);
    if (closed.success) exchange.send(200, {});
    else this.refusals.send(exchange, notShared(closed.error));
  }

  /** Answers the request itself where there is no such session. */
  async #session(exchange: HttpExchange, caller: Caller): Promise<HttpSession | undefined> {
    const session = await this.#post.sessionNamed(exchange, caller);
    if (!('status' in session)) return session;
    this.refusals.send(exchange, session);
    return undefined;
  }

  #sweepFromNowOn(): void {
    this.#sweeper ??= setInterval(() => {
      void this.sessions.sweep();
      this.#post.sweep();
    }, SWEEP_MS).unref();
  }
}

function tooMany(open: number): Refusal {
  const message = `Too Many Requests: ${open} of your requests are under way; wait for one to be answered.`;
  return { status: 429, message, headers: { 'Retry-After': '1' } };
}
