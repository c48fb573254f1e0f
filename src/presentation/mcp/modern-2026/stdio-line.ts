import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { classify, errorResponse, INVALID_REQUEST, type Write } from '../surface/json-rpc.js';
import type { ModernRequests } from './modern-requests.js';
import type { ModernServer } from './modern-server.js';

/** What a line needs of the server behind it. */
interface StdioHost {
  /** Takes note of what the client says of itself with each request. */
  greet(message: unknown): void;
  serve(): ModernServer;
  /** Tells the client of changes; returns how to stop. */
  notify(server: ModernServer): () => void;
}

/** A client of 2026-07-28 at the other end of a pair of streams. */
export class StdioLine {
  readonly #handle: StdioServerHandle;
  readonly #wire: Transport;
  #stopNotices: (() => void) | undefined;

  constructor(
    private readonly requests: ModernRequests,
    private readonly write: Write,
    private readonly host: StdioHost,
  ) {
    this.#wire = {
      start: async () => {},
      close: async () => {},
      send: (message) => this.#send(message),
    };
    const factory = () => {
      const server = host.serve();
      this.#stopNotices?.();
      this.#stopNotices = host.notify(server);
      return server;
    };
    this.#handle = serveStdio(factory, { legacy: 'reject', transport: this.#wire });
  }

  receive(value: unknown): void {
    const incoming = classify(value);
    if (incoming.kind === 'invalid') {
      void this.write(errorResponse(incoming.id, INVALID_REQUEST, `Invalid Request: ${incoming.why}.`));
      return;
    }
    if (incoming.kind === 'stray') return;
    if (incoming.kind === 'request') this.host.greet(value);
    this.#wire.onmessage?.(parseJSONRPCMessage(incoming.message));
  }

  /** Lets calls under way end for a while. */
  async end(): Promise<void> {
    await this.requests.drain();
    this.#stopNotices?.();
    await this.#handle.close();
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    const outgoing = classify(message);
    if (outgoing.kind !== 'invalid' && outgoing.kind !== 'stray') await this.write(outgoing.message);
  }
}
