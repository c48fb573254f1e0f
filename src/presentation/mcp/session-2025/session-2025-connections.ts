import { inject, injectable } from 'inversify';
import { BackgroundProcesses } from '../../../application/command/background/background-processes.js';
import { RunningCommands } from '../../../application/command/running-commands.js';
import { ToolRegistry } from '../../../application/ports/tool/tool-registry.js';
import { Sessions } from '../../../application/session/sessions.js';
import type { Caller } from '../../../domain/session/caller.js';
import { ClientNotices } from '../surface/client-notices.js';
import type { RpcMessage, RpcRequest, Write } from '../surface/json-rpc.js';
import { ProtocolOptions } from '../surface/protocol-options.js';
import { ProtocolSurface } from '../surface/protocol-surface.js';
import { within } from '../surface/within.js';
import { Session2025Connection } from './session-2025-connection.js';

/** How long calls under way may take to end once the client has gone or a signal came. */
const DRAIN_MS = 5000;
/** How long stopped calls may take to be recorded and answered. */
const STOP_MS = 2000;

/** What a conversation that several instances hold has in common. */
export interface SharedConversation {
  /** The id of the session at the others. */
  readonly sessionId?: string;
  /** Which of them asks the client here. */
  readonly asker?: string;
}

/** Opens and ends conversations of the 2025 revisions, whatever transport carries them. */
@injectable()
export class Session2025Connections {
  readonly #disposers = new Map<Session2025Connection, () => void>();

  constructor(
    @inject(ProtocolSurface) private readonly surface: ProtocolSurface,
    @inject(ProtocolOptions) private readonly options: ProtocolOptions,
    @inject(Sessions) private readonly sessions: Sessions,
    @inject(ClientNotices) private readonly notices: ClientNotices,
    @inject(RunningCommands) private readonly commands: RunningCommands,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
  ) {}

  /** Conversations that are open. */
  get size(): number {
    return this.#disposers.size;
  }

  /** Whether all calls of a session to this tool run at the same instance; `reads`: and change nothing. */
  boundTo({ params }: RpcRequest): { readonly reads: boolean } | undefined {
    const tool = typeof params?.name === 'string' ? this.tools.get(params.name) : undefined;
    return tool?.sessionBound ? { reads: tool.tool.hints.readOnly } : undefined;
  }

  /** The answer to a call that is not run. */
  refusal(request: RpcRequest, message: string): RpcMessage {
    return { jsonrpc: '2.0', id: request.id, ...this.surface.refusal(request.params, message) };
  }

  /** What runs for a session, for another instance to know. */
  runningProcesses({ session }: Session2025Connection): string {
    return JSON.stringify(this.processes.running(session.id));
  }

  /** The instance that ran these is gone. */
  mourn({ session }: Session2025Connection, processes: string): void {
    const lost: unknown = processes === '' ? [] : JSON.parse(processes);
    for (const process of Array.isArray(lost) ? lost : []) {
      const { id, command } = process;
      if (typeof id === 'string' && typeof command === 'string')
        this.processes.mourn(session, { id, command });
    }
  }

  /** `notify` carries what belongs to no request: notices of changes. */
  open(caller: Caller, notify: Write, shared: SharedConversation = {}): Session2025Connection {
    const { surface, options } = this;
    const session = this.sessions.open(caller, shared.sessionId);
    const connection = new Session2025Connection(session, surface, options, notify, shared.asker);
    const stopListening = this.notices.listen(connection);
    let stopFollowing = () => {};
    connection.onready = () => {
      stopFollowing();
      stopFollowing = this.notices.followSoon(session.id);
    };
    this.#disposers.set(connection, () => {
      stopListening();
      stopFollowing();
    });
    return connection;
  }

  /** Lets calls under way end for a while, stops the rest, and ends the session. */
  async end(connection: Session2025Connection): Promise<void> {
    // Calls may end by themselves for a while, but no program runs on for nobody.
    this.commands.endSoon(connection.session.id);
    await within(connection.idle(), DRAIN_MS);
    connection.stopCalls();
    await within(connection.idle(), STOP_MS);
    this.#disposers.get(connection)?.();
    this.#disposers.delete(connection);
    await connection.close();
    this.sessions.end(connection.session);
  }
}
