import type { Readable, Writable } from 'node:stream';
import { inject, injectable } from 'inversify';
import { Logger } from '../../../application/ports/system/logger.js';
import { type Caller, LOCAL_STDIO } from '../../../domain/session/caller.js';
import type { Session } from '../../../domain/session/session.js';
import { Modern2026 } from '../modern-2026/modern-2026.js';
import { ModernStream } from '../modern-2026/modern-stream.js';
import { unpackBatch } from '../session-2025/batch-rule.js';
import { Session2025Connections } from '../session-2025/session-2025-connections.js';
import { classify, type RpcMessage } from '../surface/json-rpc.js';
import { ProtocolOptions } from '../surface/protocol-options.js';
import { LineTransport } from './line-transport.js';

interface ServeOptions {
  readonly caller?: Caller | undefined;
  /** Told of the client's session before its first message is read. */
  readonly onOpen?: (session: Session) => void;
}

/** Serves clients over pairs of streams, one client a pair. */
@injectable()
export class StdioServer {
  readonly #stops = new Set<() => void>();

  constructor(
    @inject(Session2025Connections) private readonly connections: Session2025Connections,
    @inject(Modern2026) private readonly modern: Modern2026,
    @inject(ProtocolOptions) private readonly options: ProtocolOptions,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  /** Resolves when the client has hung up or stop() was called, after calls under way have ended. */
  async serve(
    input: Readable,
    output: Writable,
    { caller = LOCAL_STDIO, onOpen }: ServeOptions = {},
  ): Promise<void> {
    const transport = new LineTransport(input, output, this.options.maxMessageBytes);
    const write = (message: RpcMessage) => transport.send(message);
    const connection = this.connections.open(caller, write);
    onOpen?.(connection.session);
    const modern = new ModernStream(this.modern, connection.session, write);
    transport.onvalue = (value) => {
      if (modern.takes(value)) return;
      if (!Array.isArray(value)) connection.receive(classify(value), write);
      else {
        for (const incoming of unpackBatch(value, connection.protocolVersion))
          connection.receive(incoming, write);
      }
    };
    transport.onerror = (error) => this.logger.debug('The connection broke', { error });
    await this.#untilOver(transport);
    transport.stopReading();
    await Promise.all([modern.end(), this.connections.end(connection)]);
    await transport.close();
  }

  /** Stops reading; each serve() ends when what is under way has ended. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #untilOver(transport: LineTransport): Promise<void> {
    let stop = () => {};
    const over = new Promise<void>((resolve) => {
      stop = resolve;
    });
    transport.onclose = stop;
    this.#stops.add(stop);
    await transport.start();
    await over;
    this.#stops.delete(stop);
  }
}
