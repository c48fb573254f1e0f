import type { HttpAnswer, HttpClient } from './http-client.js';
import type { WireMessage } from './wire.js';

const VERSION = '2026-07-28';
const KEY = 'io.modelcontextprotocol';

/** What every request of 2026-07-28 says of itself. */
export function modernMeta(capabilities: object = {}, version = VERSION): Readonly<Record<string, unknown>> {
  return {
    [`${KEY}/protocolVersion`]: version,
    [`${KEY}/clientInfo`]: { name: 'test', version: '1' },
    [`${KEY}/clientCapabilities`]: capabilities,
  };
}

export interface ModernRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly capabilities?: object;
  readonly meta?: object;
  readonly id?: number;
}

export function modernMessage(method: string, { params, capabilities, meta, id = 1 }: ModernRequest) {
  return {
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: { ...modernMeta(capabilities), ...meta } },
  };
}

/** The headers that go with a message. */
export function modernHeaders(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const name = params.name ?? params.uri;
  return {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

/** A client without sessions. */
export class ModernClient {
  constructor(readonly http: HttpClient) {}

  send(method: string, request: ModernRequest = {}, headers: object = {}): Promise<HttpAnswer> {
    return this.http.post(modernMessage(method, request), {
      ...modernHeaders(method, request.params),
      ...headers,
    });
  }

  /** The last message of the answer: the response. */
  async request(method: string, request: ModernRequest = {}): Promise<WireMessage> {
    const messages = allMessages(await this.send(method, request));
    const last = messages.at(-1);
    if (last === undefined) throw new Error('There was no answer.');
    return last;
  }

  call(name: string, args: object, more: ModernRequest = {}): Promise<WireMessage> {
    return this.request('tools/call', { ...more, params: { name, arguments: args, ...more.params } });
  }
}

/** Streams of this revision carry no ids. */
export function allMessages({ headers, text }: Pick<HttpAnswer, 'headers' | 'text'>): readonly WireMessage[] {
  if (!headers['content-type']?.startsWith('text/event-stream')) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
}
