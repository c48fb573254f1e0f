import type { RequestListener } from 'node:http';
import type { Container } from 'inversify';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { CallerAuthenticator } from '../../application/ports/session/caller-authenticator.js';
import { EventStore } from '../../application/ports/session/event-store.js';
import { InstanceLink } from '../../application/ports/session/instance-link.js';
import { SessionDirectory } from '../../application/ports/session/session-directory.js';
import { Logger } from '../../application/ports/system/logger.js';
import { SharedState } from '../../application/ports/system/shared-state.js';
import { Turns } from '../../application/ports/system/turns.js';
import { isLoopback } from '../../domain/loopback.js';
import { HttpAuthenticator } from '../../infrastructure/auth/http-authenticator.js';
import { hashOf, type ServerToken, TokenFile } from '../../infrastructure/auth/token-file.js';
import type { HttpSettings } from '../../infrastructure/config/settings.js';
import { InMemoryEventStore } from '../../infrastructure/session/in-memory-event-store.js';
import { hasErrno, reasonOf } from '../../infrastructure/state/errno.js';
import { readForeignFile } from '../../infrastructure/state/foreign-file.js';
import type { TokenPrincipal } from '../../presentation/cli/connect-help.js';
import { HttpListener } from '../../presentation/mcp/http/http-listener.js';
import { HTTP_LIMITS, HttpOptions } from '../../presentation/mcp/http/http-options.js';
import {
  adminListener,
  MCP_PATH,
  mountedFetch,
  mountedListener,
  publicListener,
} from '../../presentation/mcp/http/http-routes.js';
import { McpEndpoint } from '../../presentation/mcp/http/mcp-endpoint.js';
import { Refusals } from '../../presentation/mcp/http/refusals.js';
import { ConfigurationError, orThrow } from '../configuration/configuration-error.js';
import { HttpSetup } from './http-setup.js';
import { PrincipalWorkspaces, type ServedWorkspace, type WorkspaceServer } from './principal-workspaces.js';
import { serverReadiness } from './readiness.js';
import { tokenPrincipal } from './token-principal.js';

export interface ListenOptions {
  readonly host?: string;
  readonly port?: number;
  /** Where health and metrics are served. */
  readonly admin?: { readonly host: string; readonly port: number } | 'off';
}

export interface Listening {
  /** The address of the endpoint. */
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Only where it has just been made: it is not kept and cannot be shown again. */
  readonly token: string | undefined;
  /** The address that clients know, if the settings name another one. */
  readonly publicUrl: string | undefined;
  /** Whom the policy takes the bearer of the server's own token for; undefined: it names no principals. */
  readonly tokenPrincipal: TokenPrincipal | undefined;
}

/** How long connections may take to end when everything is answered. */
const GRACE_MS = 1000;
/** How long requests are still refused properly when everything is answered. */
const LINGER_MS = 300;
const MAX_PEM_BYTES = 1024 * 1024;

/** What serves HTTP: made when somebody asks for it, in a chunk of its own. */
export class HttpService {
  readonly #listeners: HttpListener[] = [];
  #main: HttpListener | undefined;

  private constructor(
    private readonly container: Container,
    private readonly endpoint: McpEndpoint,
    private readonly options: HttpOptions,
    private readonly workspaces: PrincipalWorkspaces,
    private readonly token: ServerToken | undefined,
  ) {}

  /** `own` serves this server's own workspace. */
  static async open(
    container: Container,
    own: ServedWorkspace,
    serve: (folder: string) => Promise<WorkspaceServer>,
    listen?: ListenOptions,
  ): Promise<HttpService> {
    const setup = container.get(HttpSetup);
    await container.get(SharedState).join();
    const settings = { ...setup.settings, ...(listen?.host !== undefined && { host: listen.host }) };
    let token: ServerToken | undefined;
    if (!container.isBound(CallerAuthenticator)) {
      const opened = await openToken(setup);
      token = opened;
      const keys = container.get(PolicySource);
      const knows = (hash: string) => hash === opened.hash || keys.current().policy.knowsApiKey(hash);
      const tokens = await accessTokens(settings, container);
      container.bind(CallerAuthenticator).toConstantValue(new HttpAuthenticator(knows, tokens));
    }
    if (!container.isBound(EventStore)) container.bind(EventStore).to(InMemoryEventStore).inSingletonScope();
    if (!container.isBound(HttpOptions)) container.bind(HttpOptions).toConstantValue(optionsOf(settings));
    const options = container.get(HttpOptions);
    const policies = container.get(PolicySource);
    const workspaces = new PrincipalWorkspaces(setup.workspace, policies, own, serve, settings.sessionIdleMs);
    const endpoint = new McpEndpoint(
      (caller) => workspaces.homeOf(caller),
      {
        events: container.get(EventStore),
        directory: container.get(SessionDirectory),
        link: container.get(InstanceLink),
        isShared: container.get(SharedState).status().state !== 'alone',
      },
      container.get(CallerAuthenticator),
      container.get(Logger),
      options,
      new Refusals(container.get(Logger), setup.logRequests),
      container.get(Turns),
    );
    return new HttpService(container, endpoint, options, workspaces, token);
  }

  get handler(): RequestListener {
    return mountedListener(this.endpoint, this.options);
  }

  get fetch(): (request: Request) => Promise<Response> {
    return mountedFetch(this.endpoint, this.options);
  }

  async listen(listen: ListenOptions): Promise<Listening> {
    const { settings } = this.container.get(HttpSetup);
    const { host, port, tls, behindProxy, admin } = { ...settings, ...listen };
    if (!isLoopback(host) && tls === undefined && !behindProxy) {
      throw new ConfigurationError(
        `http.host ${host} can be reached from other machines, and nothing encrypts what they send: set http.tls (cert and key), or http.behind_proxy: true where a proxy does it.`,
      );
    }
    const secured = tls && {
      tls: { cert: await pemText(tls.cert), key: await pemText(tls.key) },
    };
    const main = await HttpListener.open(publicListener(this.endpoint, this.options), {
      host,
      port,
      ...secured,
    });
    this.#listeners.push(main);
    this.#main = main;
    const wanted = admin === 'off' ? undefined : admin;
    const adminUrl = wanted && (await this.#listenForOperators(wanted, main));
    return {
      url: main.url(host) + MCP_PATH,
      adminUrl,
      token: this.token?.made,
      publicUrl: settings.publicUrl,
      tokenPrincipal: this.token && tokenPrincipal(this.container, this.token),
    };
  }

  async #listenForOperators(
    admin: { readonly host: string; readonly port: number },
    main: HttpListener,
  ): Promise<string | undefined> {
    const { container, endpoint, workspaces } = this;
    try {
      const { PrometheusMetrics } = await import('../../infrastructure/observability/prometheus-metrics.js');
      const metrics = new PrometheusMetrics({
        sessions: () => endpoint.sessions.size,
        requests: () => endpoint.requests,
        connections: () => main.connections,
        refusals: () => endpoint.refusals.counts,
        shared: () => container.get(SharedState).status(),
        workspaces: () => workspaces.served.map((served) => served.gauges()),
      });
      const listener = await HttpListener.open(
        adminListener(endpoint, metrics, () => serverReadiness(container)),
        admin,
      );
      workspaces.watch(metrics.observe);
      this.#listeners.push(listener);
      return listener.url(admin.host);
    } catch (error) {
      const why = hasErrno(error, 'EADDRINUSE')
        ? 'is in use by another server'
        : `cannot be listened on (${reasonOf(error)})`;
      const place = `${admin.host}:${admin.port}`;
      container
        .get(Logger)
        .warn(`Health and metrics are not served: ${place} ${why}; choose another http.admin, or off.`);
      return undefined;
    }
  }

  /** Answers what is under way, refuses what comes, and ends. */
  async close(): Promise<void> {
    // A proxy that cannot connect goes to another instance at once; one that is answered hands the refusal on.
    if (this.container.get(SharedState).status().state !== 'alone') void this.#main?.stopAccepting();
    await Promise.all([this.endpoint.drain(), this.workspaces.drain()]);
    await this.workspaces.close();
    // Who has a connection open is told to leave before it is cut.
    const open = this.#listeners.some(({ connections }) => connections > 0);
    if (open) await new Promise((resolve) => setTimeout(resolve, LINGER_MS));
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.close(GRACE_MS)));
  }
}

/** A link is usual here: those who renew certificates work with them. */
async function pemText(path: string): Promise<string> {
  const file = await readForeignFile(path, { maxBytes: MAX_PEM_BYTES, links: 'anywhere' });
  if (file.kind === 'bytes') return file.bytes.toString('utf8');
  const why = file.kind === 'missing' ? 'there is no such file' : file.why;
  throw new ConfigurationError(`http.tls: ${path} cannot be used: ${why}.`);
}

async function openToken({ environment, stateFolder }: HttpSetup): Promise<ServerToken> {
  const given = environment.CASTELLAN_TOKEN;
  if (given === undefined || given === '') return orThrow(await new TokenFile(stateFolder).open());
  if (given.length < 16) {
    throw new ConfigurationError(
      'CASTELLAN_TOKEN must have at least 16 characters: it must not be guessable.',
    );
  }
  return { hash: hashOf(given) };
}

async function accessTokens({ oauth, publicUrl }: HttpSettings, container: Container) {
  if (oauth === undefined) return undefined;
  const audience = oauth.audience ?? publicUrl;
  if (audience === undefined) {
    throw new ConfigurationError(
      'http.oauth needs http.public_url, or an audience: whom the tokens are for.',
    );
  }
  const { AccessTokenCheck } = await import('../../infrastructure/auth/access-token-check.js');
  const logger = container.get(Logger);
  return new AccessTokenCheck({ ...oauth, audience }, (why) =>
    logger.warn('Access tokens cannot be checked', { why }),
  );
}

function optionsOf({ host, hosts, origins, publicUrl, oauth, sessionIdleMs }: HttpSettings): HttpOptions {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  return {
    ...HTTP_LIMITS,
    sessionIdleMs,
    hosts: [...hosts, ...own],
    origins,
    loopback: isLoopback(host),
    publicUrl: publicUrl ?? oauth?.audience,
    authorizationServers: oauth === undefined ? [] : [oauth.issuer],
    scopes: oauth?.scopes ?? [],
  };
}
