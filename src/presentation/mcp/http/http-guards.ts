import { isLoopback } from '../../../domain/loopback.js';
import { MODERN_VERSION } from '../modern-2026/modern-2026.js';
import { SESSION_VERSIONS } from '../session-2025/session-2025-handshake.js';
import { errorResponse } from '../surface/json-rpc.js';
import type { HttpExchange, HttpHeaders } from './http-exchange.js';
import type { HttpOptions } from './http-options.js';

/** The code that the reference implementation uses for what is wrong with HTTP and not with a method. */
const TRANSPORT_ERROR = -32000;
const VERSIONS: readonly string[] = SESSION_VERSIONS;

export const JSON_TYPE: HttpHeaders = { 'Content-Type': 'application/json' };

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: HttpHeaders;
  readonly code?: number;
}

export function refuse(exchange: HttpExchange, { status, message, headers, code }: Refusal): void {
  const body = JSON.stringify(errorResponse(null, code ?? TRANSPORT_ERROR, message));
  exchange.send(status, { ...JSON_TYPE, ...headers }, body);
}

/**
 * A page in a browser must not reach us under a name of its own (DNS rebinding), nor from an origin that nobody
 * allowed. Both headers are checked, before anything else is read.
 */
export function checkOrigin(exchange: HttpExchange, options: HttpOptions): Refusal | undefined {
  const host = exchange.header('host');
  if (host === undefined || !isOurs(hostname(host), options)) {
    return { status: 403, message: 'Forbidden: this server is not known by the name in the Host header.' };
  }
  const origin = exchange.header('origin');
  if (origin === undefined || options.origins.includes(origin)) return undefined;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && isOurs(url.hostname, options)) return undefined;
  return { status: 403, message: 'Forbidden: requests from this Origin are not allowed.' };
}

function isOurs(name: string, { hosts, loopback }: HttpOptions): boolean {
  const lower = name.toLowerCase();
  return (loopback && isLoopback(lower)) || hosts.includes(lower);
}

function hostname(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}

/** The last good headers: a client sends the same with every request. */
let lastAccept: string | undefined;
let lastType: string | undefined;

/** What the headers of a POST say about what follows. */
export function checkPost(exchange: HttpExchange): Refusal | undefined {
  const accept = exchange.header('accept');
  const type = exchange.header('content-type');
  if (accept !== undefined && accept === lastAccept && type === lastType) return undefined;
  const wrong = checkTypes(exchange);
  if (wrong === undefined) {
    lastAccept = accept;
    lastType = type;
  }
  return wrong;
}

function checkTypes(exchange: HttpExchange): Refusal | undefined {
  if (!accepts(exchange, 'application/json') || !accepts(exchange, 'text/event-stream')) {
    const message = 'Not Acceptable: Accept must list both application/json and text/event-stream.';
    return { status: 406, message };
  }
  const type = exchange.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return { status: 415, message: 'Unsupported Media Type: Content-Type must be application/json.' };
  }
  return undefined;
}

export function checkGet(exchange: HttpExchange): Refusal | undefined {
  if (accepts(exchange, 'text/event-stream')) return checkVersion(exchange);
  return { status: 406, message: 'Not Acceptable: Accept must list text/event-stream.' };
}

export function checkVersion(exchange: HttpExchange): Refusal | undefined {
  const version = exchange.header('mcp-protocol-version');
  if (version === undefined || VERSIONS.includes(version)) return undefined;
  const known = [MODERN_VERSION, ...VERSIONS].join(', ');
  return {
    status: 400,
    message: `Bad Request: unsupported MCP-Protocol-Version. This server has: ${known}.`,
  };
}

function accepts(exchange: HttpExchange, type: string): boolean {
  const accept = exchange.header('accept') ?? '';
  return accept.includes(type) || accept.includes('*/*') || accept.includes(`${type.split('/', 1)[0]}/*`);
}
