import type { LinkHandler } from '../../application/ports/session/instance-link.js';
import type { LinkFrame } from './link-frames.js';

/** How long an answer can be asked for again. */
const KEPT_MS = 30_000;

interface ServedRequest {
  readonly parts: string[];
  isOver: boolean;
}

/** What other instances asked of this one: each begun once, and its answer kept until it has surely arrived. */
export class ServedRequests {
  readonly #requests = new Map<string, ServedRequest>();

  constructor(
    private readonly send: (to: string, frame: LinkFrame) => void,
    private readonly handlerOf: () => LinkHandler | undefined,
    private readonly onFault: (error: unknown) => void,
  ) {}

  begin(from: string, id: string, body: string): void {
    const handler = this.handlerOf();
    const key = `${from} ${id}`;
    if (handler === undefined || this.#requests.has(key)) return;
    const request: ServedRequest = { parts: [], isOver: false };
    this.#requests.set(key, request);
    const answer = (part: string) => {
      request.parts.push(part);
      this.send(from, { kind: 'part', id, n: request.parts.length, body: part });
    };
    void handler
      .request(body, answer)
      .catch(this.onFault)
      .then(() => {
        request.isOver = true;
        this.send(from, { kind: 'over', id, n: request.parts.length });
        setTimeout(() => this.#requests.delete(key), KEPT_MS).unref();
      });
  }

  resend(from: string, id: string, seen: number): void {
    const request = this.#requests.get(`${from} ${id}`);
    if (request === undefined) {
      this.send(from, { kind: 'unknown', id });
      return;
    }
    for (const [index, body] of request.parts.entries())
      if (index >= seen) this.send(from, { kind: 'part', id, n: index + 1, body });
    this.send(from, request.isOver ? { kind: 'over', id, n: request.parts.length } : { kind: 'working', id });
  }
}
