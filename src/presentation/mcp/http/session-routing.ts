import type { InstanceLink } from '../../../application/ports/session/instance-link.js';
import type { SessionDirectory } from '../../../application/ports/session/session-directory.js';
import type { Caller } from '../../../domain/session/caller.js';
import { askerOf } from '../session-2025/question-names.js';
import type { Incoming, RpcRequest, Write } from '../surface/json-rpc.js';
import type { HttpSession } from './http-session.js';
import { type ForwardedCall, type InstanceMessage, parsePart } from './instance-messages.js';

const MAX_ATTEMPTS = 5;
/** Methods after which a session is another one for the client. */
const CHOICES = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tools/call']);

const AWAY =
  'This call belongs to one instance of the server, which cannot be reached because Redis does not answer. Nothing was done; try again shortly.';
const LOST =
  'The instance of the server that ran this call is gone, and how far the call came is not known. Look before you repeat it. The session goes on; background processes of it have ended.';

/** A message of a client on its way: for whom, and how it is answered. */
export interface Delivery {
  readonly session: HttpSession;
  readonly caller: Caller;
  readonly write: Write;
  readonly closeStream: () => void;
}

/**
 * Takes the messages of a session where they belong: most are answered by the instance that got them; calls that keep
 * something in a process go to the session's owner, and answers to the instance that asked.
 */
export class SessionRouting {
  constructor(
    private readonly link: InstanceLink,
    private readonly directory: SessionDirectory,
    /** Whether there may be other instances. */
    private readonly isShared: boolean,
  ) {}

  /** As the connection of the session does it: over when the promise resolves, or at once where there is none. */
  receive(incoming: Incoming, delivery: Delivery): Promise<void> | undefined {
    const { session, write, closeStream } = delivery;
    if (!this.isShared) return session.connection.receive(incoming, write, closeStream);
    switch (incoming.kind) {
      case 'request':
        return this.#request(incoming.message, delivery);
      case 'response': {
        const asker = askerOf(incoming.message.id);
        if (asker === undefined || asker === this.link.self) break;
        this.#tell(asker, { kind: 'deliver', session: session.id, message: incoming.message });
        return undefined;
      }
      case 'notification':
        if (incoming.message.method !== 'notifications/cancelled') break;
        this.#tell(undefined, { kind: 'deliver', session: session.id, message: incoming.message });
        break;
      case 'invalid':
      case 'stray':
        break;
    }
    return session.connection.receive(incoming, write, closeStream);
  }

  /** Tells the others what came of a call before the client hears. */
  async #runHere(request: RpcRequest, { session, write, closeStream }: Delivery): Promise<void> {
    const told: Write = async (message) => {
      if (!('method' in message)) await this.#tellNews(session);
      await write(message);
    };
    const waits: Promise<void>[] = [];
    const kept: Write = (message) => {
      const written = told(message);
      waits.push(written);
      return written;
    };
    await session.connection.receive({ kind: 'request', message: request }, kept, closeStream);
    await Promise.all(waits);
  }

  #request(request: RpcRequest, delivery: Delivery): Promise<void> | undefined {
    const { session, write, closeStream } = delivery;
    if (!CHOICES.has(request.method))
      return session.connection.receive({ kind: 'request', message: request }, write, closeStream);
    const bound = request.method === 'tools/call' ? session.home.boundTo(request) : undefined;
    if (bound === undefined) return this.#runHere(request, delivery);
    return this.#runBound(request, delivery, bound.reads);
  }

  /** Runs a call of a session that this instance owns, whichever instance got it. */
  async runOwned(request: RpcRequest, delivery: Delivery, reads: boolean): Promise<void> {
    // Others may take us for gone by now, and the session for theirs.
    if (reads || this.link.holdsLease) return this.#runHere(request, delivery);
    await delivery.write(delivery.session.home.refusal(request, AWAY));
  }

  async #runBound(request: RpcRequest, delivery: Delivery, reads: boolean): Promise<void> {
    const { session, write } = delivery;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { owner } = session;
      if (owner === this.link.self) return this.runOwned(request, delivery, reads);
      const outcome = await this.#forward(owner, request, delivery);
      if (outcome === 'answered') return;
      if (outcome === 'unavailable') break;
      if (outcome === 'moved') await this.#refresh(session);
      else await this.#claim(session, owner);
      if (outcome === 'lost') return write(session.home.refusal(request, LOST));
    }
    await write(session.home.refusal(request, AWAY));
  }

  async #forward(owner: string, message: RpcRequest, { session, caller, write, closeStream }: Delivery) {
    const call: ForwardedCall = { session: session.id, caller, message };
    let hasMoved = false;
    let last: Promise<void> = Promise.resolve();
    const outcome = await this.link.ask(owner, JSON.stringify(call), (text) => {
      const part = parsePart(text);
      if (part === 'close') closeStream();
      else if (part === 'moved') hasMoved = true;
      else last = last.then(() => write(part));
    });
    await last;
    return hasMoved ? 'moved' : outcome;
  }

  /** Becomes the owner where nobody else has. */
  async #claim(session: HttpSession, gone: string): Promise<void> {
    const { self } = this.link;
    // Processes that began since we last heard are lost as well.
    await this.#refresh(session);
    if (session.owner !== gone) return;
    const claimed = await this.directory.claim(session.id, gone, self);
    if (!claimed.success || claimed.value === undefined) return;
    if (claimed.value === self) session.inherit(self);
    else session.owner = claimed.value;
  }

  async #refresh(session: HttpSession): Promise<void> {
    const known = await this.directory.get(session.id);
    if (known.success && known.value !== undefined) session.follow(known.value);
  }

  /** Whoever cannot be told now learns it with the next change. */
  async #tellNews(session: HttpSession): Promise<void> {
    const news = session.news();
    const changed = news && (await this.directory.change(session.id, news));
    if (news !== undefined && changed?.success) session.wasTold(news);
  }

  #tell(instance: string | undefined, message: InstanceMessage): void {
    this.link.tell(instance, JSON.stringify(message));
  }
}
