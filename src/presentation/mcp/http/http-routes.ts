import type { RequestListener } from 'node:http';
import { METADATA_PATH, resourceMetadata } from './challenge.js';
import type { HttpExchange } from './http-exchange.js';
import { JSON_TYPE } from './http-guards.js';
import type { HttpOptions } from './http-options.js';
import type { McpEndpoint } from './mcp-endpoint.js';
import { NodeExchange } from './node-exchange.js';
import { WebExchange } from './web-exchange.js';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };
export const MCP_PATH = '/mcp';

/** Whether requests should come, and in words why not, or what else an operator should know. */
export interface Readiness {
  readonly ready: boolean;
  readonly detail: readonly string[];
}

const SHUTTING_DOWN: Readiness = { ready: false, detail: ['shutting down'] };

/** Answers any path as the endpoint, but for the metadata that clients look for at well-known ones. */
export function answerMounted(
  exchange: HttpExchange,
  endpoint: McpEndpoint,
  options: HttpOptions,
): Promise<void> {
  if (exchange.path.startsWith(METADATA_PATH)) return answerMetadata(exchange, options);
  return endpoint.handle(exchange);
}

export function mountedListener(endpoint: McpEndpoint, options: HttpOptions): RequestListener {
  return (request, response) => void answerMounted(new NodeExchange(request, response), endpoint, options);
}

export function mountedFetch(
  endpoint: McpEndpoint,
  options: HttpOptions,
): (request: Request) => Promise<Response> {
  return (request) => {
    const exchange = new WebExchange(request);
    void answerMounted(exchange, endpoint, options);
    return exchange.response;
  };
}

/** The listener for callers: the endpoint, its metadata and whether we are alive. */
export function publicListener(endpoint: McpEndpoint, options: HttpOptions): RequestListener {
  return (request, response) => {
    const exchange = new NodeExchange(request, response);
    const { path } = exchange;
    if (path === MCP_PATH) void endpoint.handle(exchange);
    else if (path === METADATA_PATH || path === METADATA_PATH + MCP_PATH)
      void answerMetadata(exchange, options);
    else if (path === '/healthz') exchange.send(200, TEXT, 'ok\n');
    else exchange.send(404, TEXT, `There is nothing here; the endpoint is ${MCP_PATH}.\n`);
  };
}

/** The counts of this process, as Prometheus reads them. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** The listener for operators, which no caller should reach. */
export function adminListener(
  endpoint: McpEndpoint,
  metrics: MetricsPage,
  readiness: () => Promise<Readiness>,
): RequestListener {
  return async (request, response) => {
    const exchange = new NodeExchange(request, response);
    switch (exchange.path) {
      case '/healthz':
        return exchange.send(200, TEXT, 'ok\n');
      case '/readyz':
        return answerReady(exchange, endpoint.draining ? SHUTTING_DOWN : await readiness());
      case '/metrics':
        return exchange.send(200, { 'Content-Type': metrics.contentType }, await metrics.text());
      default:
        return exchange.send(404, TEXT, 'There are /healthz, /readyz and /metrics.\n');
    }
  };
}

function answerReady(exchange: HttpExchange, { ready, detail }: Readiness): void {
  const lines = ready ? ['ready', ...detail] : detail;
  exchange.send(ready ? 200 : 503, TEXT, `${lines.join('\n')}\n`);
}

async function answerMetadata(exchange: HttpExchange, options: HttpOptions): Promise<void> {
  const metadata = resourceMetadata(options);
  if (metadata === undefined) exchange.send(404, TEXT, 'No access tokens are taken here.\n');
  else exchange.send(200, { ...JSON_TYPE, 'Access-Control-Allow-Origin': '*' }, JSON.stringify(metadata));
}
