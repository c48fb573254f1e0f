import type { LinkHandler } from '../../application/ports/session/instance-link.js';
import { type LinkFrame, MAX_AGE_MS } from './link-frames.js';

/** How long an answer can be asked for again. */
const KEPT_MS = 30_000;
/** How much of the answers that are over is kept. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
/** How long a request is known: a message may be as old as that, by a clock that may be as much ahead. */
const KNOWN_MS = 2 * MAX_AGE_MS;

interface ServedRequest {
  /** undefined: over, and not kept any more. */
  parts: string[] | undefined;
  isOver: boolean;
  characters: number;
}

/** What other instances asked of this one: each begun once, and its answer kept until it has surely arrived. */
export class ServedRequests {
  readonly #requests = new Map<string, ServedRequest>();
  /** Those that are over and kept, oldest first. */
  readonly #kept = new Set<ServedRequest>();
  #characters = 0;

  constructor(
    private readonly send: (to: string, frame: LinkFrame) => void,
    private readonly handlerOf: () => LinkHandler | undefined,
    private readonly onFault: (error: unknown) => void,
  ) {}

  begin(from: string, id: string, body: string): void {
    const handler = this.handlerOf();
    const key = `${from} ${id}`;
    if (handler === undefined || this.#requests.has(key)) return;
    const parts: string[] = [];
    const request: ServedRequest = { parts, isOver: false, characters: 0 };
    this.#requests.set(key, request);
    const answer = (part: string) => {
      parts.push(part);
      request.characters += part.length;
      this.send(from, { kind: 'part', id, n: parts.length, body: part });
    };
    void handler
      .request(body, answer)
      .catch(this.onFault)
      .then(() => {
        request.isOver = true;
        this.send(from, { kind: 'over', id, n: parts.length });
        this.#keep(request);
        setTimeout(() => this.#requests.delete(key), KNOWN_MS).unref();
      });
  }

  resend(from: string, id: string, seen: number): void {
    const request = this.#requests.get(`${from} ${id}`);
    if (request?.parts === undefined) {
      // Whoever hears that it had begun, and is unknown now, does not begin it again.
      if (request !== undefined) this.send(from, { kind: 'working', id });
      this.send(from, { kind: 'unknown', id });
      return;
    }
    const { parts } = request;
    for (const [index, body] of parts.entries())
      if (index >= seen) this.send(from, { kind: 'part', id, n: index + 1, body });
    this.send(from, request.isOver ? { kind: 'over', id, n: parts.length } : { kind: 'working', id });
  }

  #keep(request: ServedRequest): void {
    this.#kept.add(request);
    this.#characters += request.characters;
    for (const oldest of this.#kept) {
      if (this.#characters <= MAX_KEPT_CHARACTERS) break;
      this.#drop(oldest);
    }
    setTimeout(() => this.#drop(request), KEPT_MS).unref();
  }

  #drop(request: ServedRequest): void {
    if (!this.#kept.delete(request)) return;
    this.#characters -= request.characters;
    request.parts = undefined;
  }
}
