import type { Readable, Writable } from 'node:stream';
import { inject, injectable } from 'inversify';
import { RunningCommands } from '../../application/command/running-commands.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { SessionStore } from '../../application/ports/session/session-store.js';
import { IdSource } from '../../application/ports/system/id-source.js';
import { Logger } from '../../application/ports/system/logger.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { LOCAL_STDIO } from '../../domain/session/caller.js';
import { Session } from '../../domain/session/session.js';
import { LegacyConnection } from './legacy-connection.js';
import { LineTransport } from './line-transport.js';
import { ProtocolOptions } from './protocol-options.js';
import { ProtocolSurface } from './protocol-surface.js';

/** How long calls under way may take to end once the client has gone or a signal came. */
const DRAIN_MS = 5000;
/** How long stopped calls may take to be recorded and answered. */
const STOP_MS = 2000;
/** How long after the handshake files begin to be followed. */
const FOLLOW_MS = 250;

/** Serves one client over a pair of streams. */
@injectable()
export class StdioServer {
  #stop: (() => void) | undefined;

  constructor(
    @inject(ProtocolSurface) private readonly surface: ProtocolSurface,
    @inject(ProtocolOptions) private readonly options: ProtocolOptions,
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(IdSource) private readonly ids: IdSource,
    @inject(Logger) private readonly logger: Logger,
    @inject(RunningCommands) private readonly commands: RunningCommands,
  ) {}

  /** Resolves when the client has hung up or stop() was called, after calls under way have ended. */
  async serve(input: Readable, output: Writable): Promise<void> {
    const session = Session.create(this.ids.next(), LOCAL_STDIO);
    this.sessions.add(session);
    const endings: (() => void)[] = [];
    const transport = new LineTransport(input, output, this.options.maxMessageBytes);
    const connection = new LegacyConnection(
      session,
      this.surface,
      this.options,
      (message) => transport.send(message),
      (version) => {
        transport.protocolVersion = version;
        this.#followSoon(session, endings);
      },
    );
    transport.onincoming = (incoming) => connection.receive(incoming);
    transport.onerror = (error) => this.logger.debug('The connection broke', { error });
    endings.push(
      this.tools.onChange(() => connection.announceTools()),
      session.onToolsChange(() => connection.announceTools()),
      this.#onOtherPolicy(() => {
        connection.announceTools();
        connection.announceResources({ kind: 'list-changed' });
      }),
      this.surface.prompts.onChange(() => connection.announcePrompts()),
      this.surface.onResourceNotice((notice) => connection.announceResources(notice)),
    );
    const over = new Promise<void>((resolve) => {
      transport.onclose = resolve;
      this.#stop = resolve;
    });
    await transport.start();
    await over;
    transport.stopReading();
    // Calls may end by themselves for a while, but no program runs on for nobody.
    this.commands.endSoon();
    await Promise.race([connection.idle(), after(DRAIN_MS)]);
    connection.stopCalls();
    await Promise.race([connection.idle(), after(STOP_MS)]);
    for (const end of endings) end();
    await connection.close();
    await transport.close();
    this.sessions.remove(session.id);
  }

  /** Not at once: the first answers come before the first look at the disk. */
  #followSoon(session: Session, endings: (() => void)[]): void {
    const timer = setTimeout(() => {
      void this.surface.follow(session.id).then((end) => endings.push(end));
    }, FOLLOW_MS).unref();
    endings.push(() => clearTimeout(timer));
  }

  /** A refused edit leaves the policy in force, and so the tools and resources, as they were. */
  #onOtherPolicy(listener: () => void): () => void {
    let announced = this.policies.current();
    return this.policies.onChange((snapshot) => {
      if (snapshot.hash === announced.hash) return;
      announced = snapshot;
      listener();
    });
  }

  /** Stops reading; serve() ends when what is under way has ended. */
  stop(): void {
    this.#stop?.();
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
