import type { InstanceLink } from '../../../application/ports/session/instance-link.js';
import type {
  DirectoryNotice,
  SessionDirectory,
} from '../../../application/ports/session/session-directory.js';
import type { Logger } from '../../../application/ports/system/logger.js';
import { classify, errorResponse, INVALID_REQUEST, type RpcMessage } from '../surface/json-rpc.js';
import type { HttpSessions } from './http-sessions.js';
import { parseForwarded, parseMessage, writePart } from './instance-messages.js';
import type { SessionRouting } from './session-routing.js';

/** What this instance does for the others: runs calls of the sessions it owns, and hears what becomes of sessions. */
export class SessionService {
  constructor(
    private readonly sessions: HttpSessions,
    private readonly routing: SessionRouting,
    private readonly directory: SessionDirectory,
    private readonly link: InstanceLink,
    private readonly logger: Logger,
  ) {}

  begin(): void {
    this.directory.onNotice((notice) => {
      this.#noticed(notice).catch((error: unknown) =>
        this.logger.error('What became of a session is not understood', { error }),
      );
    });
    this.link.serve({
      request: (body, answer) => this.#serve(body, answer),
      message: (body) => this.#heard(body),
    });
  }

  async #serve(body: string, answer: (part: string) => void): Promise<void> {
    const { session: id, caller, message } = parseForwarded(body);
    const found = await this.sessions.find(id, caller);
    const session = found.success ? found.value : undefined;
    if (session === undefined) {
      const why = 'The session has ended; open a new one.';
      return answer(writePart(errorResponse(message.id, INVALID_REQUEST, why)));
    }
    if (session.owner !== this.link.self) return answer('moved');
    session.use();
    try {
      const write = async (part: RpcMessage) => answer(writePart(part));
      const delivery = { session, caller, write, closeStream: () => answer('close') };
      await this.routing.runOwned(message, delivery, session.home.boundTo(message)?.reads === true);
    } finally {
      session.release();
    }
  }

  #heard(body: string): void {
    const message = parseMessage(body);
    const session = this.sessions.known(message.session);
    if (session === undefined) return;
    switch (message.kind) {
      case 'deliver':
        void session.connection.receive(classify(message.message), async () => undefined);
        break;
      case 'standing':
        session.leaveStanding();
        break;
    }
  }

  async #noticed(notice: DirectoryNotice): Promise<void> {
    switch (notice.kind) {
      case 'ended':
        this.sessions.endKnown(notice.id);
        break;
      case 'changed':
        await this.#refresh(notice.id);
        break;
      case 'rejoined':
        await this.#rejoined(notice.emptied);
        break;
    }
  }

  /** A session that another instance has taken over is not ours any more, nor is what we ran for it. */
  async #refresh(id: string): Promise<void> {
    const session = this.sessions.known(id);
    if (session === undefined) return;
    const known = await this.directory.get(id);
    if (!known.success || known.value === undefined) return;
    const wasOurs = session.owner === this.link.self;
    session.follow(known.value);
    if (wasOurs && session.owner !== this.link.self) await this.sessions.end(session, 'here');
  }

  async #rejoined(emptied: boolean): Promise<void> {
    const ids = this.sessions.all.map(({ id }) => id);
    if (ids.length > 0) this.logger.info('Looks after its sessions again', { sessions: ids.length, emptied });
    const gone = emptied ? ids : await this.#gone(ids);
    for (const id of gone) this.sessions.endKnown(id);
    const left = new Set(gone);
    await Promise.all(ids.filter((id) => !left.has(id)).map((id) => this.#refresh(id)));
  }

  async #gone(ids: readonly string[]): Promise<readonly string[]> {
    const gone = await this.directory.keep(ids);
    return gone.success ? gone.value : [];
  }
}
