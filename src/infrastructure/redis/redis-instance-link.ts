import { randomUUID } from 'node:crypto';
import type { AskOutcome, InstanceLink, LinkHandler } from '../../application/ports/session/instance-link.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { type LinkFrame, readFrame, writeFrame } from './link-frames.js';
import { reasonOf } from './redis-fault.js';
import type { RedisStore } from './redis-store.js';
import { ServedRequests } from './served-requests.js';

const LOOK_MS = 500;
/** An answer of which nothing was heard for so long is asked after. */
const QUIET_MS = 1000;
/** Redis takes an instance that stands still, or whose machine is gone, for a listener: quiet for so long, it is looked for. */
const SILENT_MS = 6000;
/** How long an answer is waited for while there is no way to ask after it. */
const PATIENCE_MS = 30_000;

interface OpenRequest {
  readonly to: string;
  readonly body: string;
  readonly onPart: (part: string) => void;
  readonly resolve: (outcome: AskOutcome) => void;
  seen: number;
  /** It may have begun: somebody heard the request, or nobody knows. */
  wasSent: boolean;
  /** The other instance says so. */
  hasBegun: boolean;
  heardAt: number;
  /** When something last said that the other instance, or Redis, is there. */
  signAt: number;
}

/** Requests and answers over channels of Redis, signed. What gets lost on the way is asked for again. */
export class RedisInstanceLink implements InstanceLink {
  readonly #open = new Map<string, OpenRequest>();
  readonly #served: ServedRequests;
  #handler: LinkHandler | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: RedisStore,
    private readonly logger: Logger,
  ) {
    const onFault = (error: unknown) => logger.error('A request of another instance broke', { error });
    this.#served = new ServedRequests(
      (to, frame) => this.#send(to, frame),
      () => this.#handler,
      onFault,
    );
    store.listen(`to:${store.instance}`, (text) => this.#received(text));
    store.listen('to:all', (text) => this.#received(text));
  }

  get self(): string {
    return this.store.instance;
  }

  get holdsLease(): boolean {
    return this.store.lease.isHeld;
  }

  async isAlive(instance: string): Promise<boolean> {
    if (instance === this.self) return true;
    return (await this.store.command('EXISTS', this.store.key('instance', instance))) === 1;
  }

  ask(to: string, body: string, onPart: (part: string) => void): Promise<AskOutcome> {
    if (this.store.state !== 'joined') return Promise.resolve('unavailable');
    const id = randomUUID();
    return new Promise((resolve) => {
      const now = performance.now();
      const request: OpenRequest = {
        to,
        body,
        onPart,
        resolve: (outcome) => {
          this.#open.delete(id);
          resolve(outcome);
        },
        seen: 0,
        wasSent: false,
        hasBegun: false,
        heardAt: now,
        signAt: now,
      };
      this.#open.set(id, request);
      this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref();
      void this.#deliver(request, { kind: 'ask', id, body });
    });
  }

  tell(to: string | undefined, body: string): void {
    this.#send(to ?? 'all', { kind: 'tell', body });
  }

  serve(handler: LinkHandler): void {
    this.#handler = handler;
  }

  /** Nobody hears it: the other instance is away for a moment, or for good. */
  async #deliver(request: OpenRequest, frame: LinkFrame): Promise<void> {
    const { to } = request;
    try {
      const heard = await this.store.publish(`to:${to}`, writeFrame(this.store, to, frame));
      if (heard > 0) request.wasSent = true;
      const isSilent = performance.now() - request.heardAt > SILENT_MS;
      if ((heard > 0 && !isSilent) || (await this.isAlive(to))) request.signAt = performance.now();
      else request.resolve(request.wasSent ? 'lost' : 'not-delivered');
    } catch (error) {
      request.wasSent = true;
      this.logger.debug(`Another instance is not reached: ${reasonOf(error)}`);
      if (performance.now() - request.signAt > PATIENCE_MS) request.resolve('lost');
    }
  }

  #look(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    const limit = performance.now() - QUIET_MS;
    for (const [id, request] of this.#open)
      if (request.heardAt < limit) void this.#deliver(request, { kind: 'resend', id, n: request.seen });
  }

  #received(text: string): void {
    const received = readFrame(this.store, text);
    if (received === undefined) return;
    const { from, frame } = received;
    switch (frame.kind) {
      case 'ask':
        this.#served.begin(from, frame.id, frame.body);
        break;
      case 'resend':
        this.#served.resend(from, frame.id, frame.n);
        break;
      case 'tell':
        this.#handler?.message(frame.body);
        break;
      case 'part':
      case 'over':
      case 'working':
      case 'unknown':
        this.#answered(from, frame);
    }
  }

  #answered(from: string, frame: Exclude<LinkFrame, { kind: 'ask' | 'resend' | 'tell' }>): void {
    const request = this.#open.get(frame.id);
    if (request === undefined || request.to !== from) return;
    request.heardAt = performance.now();
    if (frame.kind === 'unknown') {
      // It never got the request, which may be sent again; what it had begun it would know.
      if (request.hasBegun) request.resolve('lost');
      else void this.#deliver(request, { kind: 'ask', id: frame.id, body: request.body });
      return;
    }
    request.hasBegun = true;
    if (frame.kind === 'part' && frame.n === request.seen + 1) {
      request.seen = frame.n;
      request.onPart(frame.body);
    } else if (frame.kind === 'over' && frame.n === request.seen) request.resolve('answered');
    else if ('n' in frame && frame.n > request.seen) {
      void this.#deliver(request, { kind: 'resend', id: frame.id, n: request.seen });
    }
  }

  #send(to: string, frame: LinkFrame): void {
    this.store
      .publish(`to:${to}`, writeFrame(this.store, to, frame))
      // Whoever waits for it asks again.
      .catch((error: unknown) => this.logger.debug(`Another instance is not reached: ${reasonOf(error)}`));
  }
}
