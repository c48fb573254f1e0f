import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { initialize, type WireMessage } from './wire.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** A client that speaks plain HTTP, so that it can also speak it wrongly. */
export class HttpClient {
  session: string | undefined;

  constructor(
    readonly url: string,
    readonly token: string | undefined,
    /** Keeps connections; without one each request has its own. */
    private readonly agent: Agent | false = false,
  ) {}

  /** `undefined` takes a header away. */
  send(method: string, body: string | Buffer | undefined, headers: Headers = {}): Promise<HttpAnswer> {
    const all: Headers = {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(this.session !== undefined && { 'mcp-session-id': this.session }),
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const sent = request(this.url, { method, headers: given, agent: this.agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  post(message: unknown, headers?: Headers): Promise<HttpAnswer> {
    return this.send('POST', JSON.stringify(message), headers);
  }

  async open(version?: string, capabilities?: object): Promise<HttpAnswer> {
    const answer = await this.post(initialize(version, capabilities));
    const id = answer.headers['mcp-session-id'];
    this.session = typeof id === 'string' ? id : undefined;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  async call(id: number, name: string, args: object = {}, meta?: object): Promise<readonly WireMessage[]> {
    const params = { name, arguments: args, ...(meta && { _meta: meta }) };
    return messagesOf(await this.post({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  }

  /** Posts a message; the answer hangs up without waiting for what comes of it. */
  begin(message: unknown, headers: Readonly<Record<string, string>> = {}): () => Promise<void> {
    const sent = request(this.url, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${this.token}`,
        ...(this.session !== undefined && { 'mcp-session-id': this.session }),
        ...headers,
      },
    });
    const over = new Promise<void>((resolve) => sent.once('close', () => resolve()));
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(message));
    return () => {
      sent.destroy();
      return over;
    };
  }

  /** Opens a stream and hands over what comes, until the answer's function is called. */
  listen(
    onText: (text: string) => void,
    headers: Headers = {},
    posted?: unknown,
  ): Promise<{ readonly status: number; readonly end: () => void; readonly over: Promise<void> }> {
    const all = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.token}`,
      ...(this.session !== undefined && { 'mcp-session-id': this.session }),
      ...(posted !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const method = posted === undefined ? 'GET' : 'POST';
      const sent = request(this.url, { method, headers: all, agent: false }, (answer) => {
        answer.setEncoding('utf8');
        answer.on('data', onText);
        const over = new Promise<void>((done) => {
          answer.once('close', () => done());
          answer.once('error', () => done());
        });
        resolve({ status: answer.statusCode ?? 0, end: () => sent.destroy(), over });
      });
      sent.on('error', reject);
      sent.end(posted === undefined ? undefined : JSON.stringify(posted));
    });
  }
}

/** The messages of an answer, whether it is JSON or a stream. */
export function messagesOf({ headers, text }: Pick<HttpAnswer, 'headers' | 'text'>): readonly WireMessage[] {
  if (headers['content-type']?.startsWith('text/event-stream'))
    return eventsOf(text).flatMap(({ message }) => message ?? []);
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value : [JSON.parse(text)];
}

/** The events of a stream with their ids; one without data has no message. */
export function eventsOf(text: string): readonly { readonly id: string; readonly message?: WireMessage }[] {
  return text.split('\n\n').flatMap((block) => {
    const id = /^id: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.+)$/m.exec(block)?.[1];
    return id === undefined ? [] : [{ id, ...(data !== undefined && { message: JSON.parse(data) }) }];
  });
}
