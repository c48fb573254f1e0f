import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NamedPort } from '../../../domain/permission/network/host-access.js';
import { type Authority, parseAuthority } from './authority.js';
import type { ConnectionDesk } from './connection-desk.js';
import { DownloadRing } from './relay.js';

/** Of one hop: the next one has its own. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'proxy-authorization',
    'proxy-authenticate',
    'te',
    'upgrade',
  ],
  ...['expect', 'host'],
]);
const HTTP_PORT = 80;
const NO_HOST = { host: 'unknown', port: undefined };

interface Judged {
  readonly target: NamedPort;
  readonly path: string;
}

type Judgement = Judged | { readonly why: string; readonly target?: NamedPort };

/**
 * Passes requests on, each judged by itself: a connection that is kept open may name another host with its next one.
 * Each has a connection of its own to its host.
 */
export class HttpRelay {
  readonly #server: Server;
  readonly #targets = new WeakMap<Duplex, NamedPort>();

  constructor(
    private readonly desk: ConnectionDesk,
    /** Serves what a client asks a proxy to connect to. */
    private readonly onConnect: (socket: Socket, authority: Authority | undefined, start: Buffer) => void,
  ) {
    this.#server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 0 });
    // A client may end its own direction when it has asked.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.on('request', (incoming, response) => void this.#answer(incoming, response));
    this.#server.on('upgrade', (incoming, socket, head) => void this.#upgrade(incoming, socket, head));
    this.#server.on('connect', (incoming: IncomingMessage, socket: Socket, head) =>
      this.onConnect(
        socket,
        this.#targets.has(socket) ? undefined : parseAuthority(incoming.url ?? ''),
        head,
      ),
    );
    this.#server.on('clientError', (error, socket) => this.#broken(error, socket));
  }

  /** `target`: the host that the connection was made to; absent: a proxy is asked, and each request says. */
  take(socket: Socket, target: NamedPort | undefined, start: Buffer): void {
    if (target !== undefined) this.#targets.set(socket, target);
    if (start.length > 0) socket.unshift(start);
    this.#server.emit('connection', socket);
    socket.resume();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What is no request that can be read, or could be read in two ways. */
  #broken(error: Error, socket: Duplex): void {
    const isUnread = 'code' in error && String(error.code).startsWith('HPE_');
    if (isUnread) this.desk.refuse(this.#targets.get(socket) ?? NO_HOST, 'the request cannot be read');
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  }

  #judge({ url = '', rawHeaders, socket }: IncomingMessage): Judgement {
    const meant = this.#targets.get(socket);
    const named = hostsIn(rawHeaders);
    const absolute = absoluteForm(url);
    const authority = named.length === 1 ? parseAuthority(named[0] ?? '', HTTP_PORT) : undefined;
    const asked = absolute?.authority ?? authority;
    const target = meant ?? asked;
    if (target === undefined) return { why: 'the request names no host, or none that can be read' };
    const isSame = [authority, asked].every(
      (one) => one !== undefined && one.host === target.host && one.port === target.port,
    );
    if (!isSame) return { target, why: 'the request names another host' };
    if (absolute === undefined && (meant === undefined || !url.startsWith('/')) && url !== '*')
      return { target, why: 'the request names no host, or none that can be read' };
    const why = this.desk.refusal(target);
    return why === undefined ? { target, path: absolute?.path ?? url } : { target, why };
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const judged = this.#judge(incoming);
    if (!('path' in judged)) return this.#refuse(response, judged);
    const { target } = judged;
    const dialled = await this.desk.dial(target);
    if (dialled.kind === 'refused') return say(response, 403, target.host, dialled.why);
    if (dialled.kind === 'failed') return say(response, 502, target.host, dialled.why);
    const upstream = dialled.socket;
    const begun = performance.now();
    upstream.once('close', () =>
      this.desk.reached(target, {
        sent: upstream.bytesWritten,
        received: upstream.bytesRead,
        durationMs: performance.now() - begun,
      }),
    );
    const outgoing = request({
      ...this.#outgoing(incoming, judged),
      createConnection: () => upstream,
    });
    outgoing.once('error', (error) => {
      upstream.destroy();
      say(response, 502, target.host, error.message);
    });
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutHop(answer.rawHeaders));
      pipeline(answer, response).catch(() => response.destroy());
    });
    pipeline(incoming, outgoing).catch(() => outgoing.destroy());
  }

  #refuse(
    response: ServerResponse,
    { target, why }: { readonly target?: NamedPort; readonly why: string },
  ): void {
    this.desk.refuse(target ?? NO_HOST, why);
    response.shouldKeepAlive = false;
    say(response, 403, target?.host ?? 'The host', why);
  }

  #outgoing({ method, rawHeaders }: IncomingMessage, { target, path }: Judged) {
    const named = target.port === HTTP_PORT ? target.host : `${target.host}:${target.port}`;
    const headers = ['Host', target.host.includes(':') ? `[${target.host}]:${target.port}` : named];
    return {
      method: method ?? 'GET',
      path,
      headers: [...headers, ...withoutHop(rawHeaders)],
      setHost: false,
    };
  }

  async #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const judged = this.#judge(incoming);
    const refuse = (status: number): void => {
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    };
    if (!('path' in judged)) {
      this.desk.refuse(judged.target ?? NO_HOST, judged.why);
      return refuse(403);
    }
    const ring = new DownloadRing();
    const dialled = await this.desk.dial(judged.target, ring);
    if (dialled.kind !== 'connected') return refuse(dialled.kind === 'refused' ? 403 : 502);
    const { method, path, headers } = this.#outgoing(incoming, judged);
    const kept = pairs(incoming.rawHeaders)
      .filter(([name]) => /^(connection|upgrade)$/i.test(name))
      .flat();
    const lines = pairs([...headers, ...kept]).map(([name, value]) => `${name}: ${value}\r\n`);
    const start = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
    await this.desk.pass(incoming.socket, judged.target, dialled.socket, Buffer.concat([start, head]), ring);
  }
}

function say(response: ServerResponse, status: number, host: string, why: string): void {
  if (response.headersSent) return void response.destroy();
  const word = status === 403 ? 'was refused' : 'was not reached';
  response.writeHead(status, { 'Content-Type': 'text/plain' });
  response.end(`${host} ${word}: ${why}.\n`);
}

function absoluteForm(
  url: string,
): { readonly authority: Authority | undefined; readonly path: string } | undefined {
  const match = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i.exec(url);
  if (match === null) return undefined;
  const path = match[2] ?? '/';
  return {
    authority: parseAuthority(match[1] ?? '', HTTP_PORT),
    path: path.startsWith('?') ? `/${path}` : path,
  };
}

function hostsIn(rawHeaders: readonly string[]): readonly string[] {
  return pairs(rawHeaders)
    .filter(([name]) => name.toLowerCase() === 'host')
    .map(([, value]) => value);
}

function withoutHop(rawHeaders: readonly string[]): string[] {
  const all = pairs(rawHeaders);
  const named = all
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(',')
        .map((word) => word.trim()),
    );
  return all
    .filter(([name]) => !HOP_HEADERS.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
    .flat();
}

function pairs(raw: readonly string[]): (readonly [name: string, value: string])[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}
