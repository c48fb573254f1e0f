import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** How the server treats one request. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void;

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the client has gone before the answer was complete. */
  readonly closed: Promise<void>;
}

/** An HTTP server that speaks the Messages API as it is told to, one behaviour a request. */
export class MessagesApi {
  readonly requests: ReceivedRequest[] = [];
  readonly #behaviours: Behaviour[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<MessagesApi> {
    const api = new MessagesApi();
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  next(...behaviours: readonly Behaviour[]): void {
    this.requests.length = 0;
    this.#behaviours.splice(0, Number.POSITIVE_INFINITY, ...behaviours);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request));
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const received = { path: request.url ?? '', headers: request.headers, body, closed };
    this.requests.push(received);
    const behaviour = this.#behaviours.shift() ?? refuse(418, 'teapot', 'nothing was planned');
    behaviour(response, received);
  }
}

function event(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function begin(response: ServerResponse, model: unknown): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(
    event({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 1 },
      },
    }),
  );
  response.write(event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }));
}

function piece(text: string): string {
  return event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
}

export function answer(pieces: readonly string[], stopReason = 'end_turn'): Behaviour {
  return (response, { body }) => {
    begin(response, body.model);
    for (const text of pieces) response.write(piece(text));
    response.write(event({ type: 'ping' }));
    response.write(event({ type: 'content_block_stop', index: 0 }));
    response.write(
      event({
        type: 'message_delta',
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: { output_tokens: 23 },
      }),
    );
    response.end(event({ type: 'message_stop' }));
  };
}

/** Several blocks of text in one answer. */
export function blocks(texts: readonly string[]): Behaviour {
  return (response, { body }) => {
    begin(response, body.model);
    texts.forEach((text, index) => {
      if (index > 0) {
        const content_block = { type: 'text', text: '' };
        response.write(event({ type: 'content_block_start', index, content_block }));
      }
      const delta = { type: 'text_delta', text };
      response.write(event({ type: 'content_block_delta', index, delta }));
      response.write(event({ type: 'content_block_stop', index }));
    });
    const delta = { stop_reason: 'end_turn', stop_sequence: null };
    response.write(event({ type: 'message_delta', delta, usage: { output_tokens: 23 } }));
    response.end(event({ type: 'message_stop' }));
  };
}

export function refuse(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type, message } }));
  };
}

/** Says nothing at all and keeps the connection. */
export const silence: Behaviour = () => {};

/** Begins well and stops in the middle, keeping the connection. */
export const stall: Behaviour = (response, { body }) => {
  begin(response, body.model);
  response.write(piece('half an '));
};

/** Begins well and hangs up. */
export const hangUp: Behaviour = (response, { body }) => {
  begin(response, body.model);
  response.write(piece('half an '), () => response.destroy());
};

/** Hangs up before the first byte. */
export const slam: Behaviour = (response) => response.destroy();

/** Ends in good order without ever having finished the message. */
export const cutShort: Behaviour = (response, { body }) => {
  begin(response, body.model);
  response.end(piece('half an '));
};

export const garbage: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('event: message_start\ndata: {"type": "message_st\n\n');
};

/** An error in the stream instead of an answer, as an overloaded service sends it. */
export const overloadedInStream: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
};
