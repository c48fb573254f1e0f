import { inject, injectable } from 'inversify';
import { RunningCommands } from '../../../application/command/running-commands.js';
import { Sessions } from '../../../application/session/sessions.js';
import type { Caller } from '../../../domain/session/caller.js';
import { ClientNotices } from '../surface/client-notices.js';
import type { Write } from '../surface/json-rpc.js';
import { ProtocolOptions } from '../surface/protocol-options.js';
import { ProtocolSurface } from '../surface/protocol-surface.js';
import { within } from '../surface/within.js';
import { Session2025Connection } from './session-2025-connection.js';

/** How long calls under way may take to end once the client has gone or a signal came. */
const DRAIN_MS = 5000;
/** How long stopped calls may take to be recorded and answered. */
const STOP_MS = 2000;

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
  ) {}

  /** `notify` carries what belongs to no request: notices of changes. */
  open(caller: Caller, notify: Write): Session2025Connection {
    const session = this.sessions.open(caller);
    const connection = new Session2025Connection(session, this.surface, this.options, notify);
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
