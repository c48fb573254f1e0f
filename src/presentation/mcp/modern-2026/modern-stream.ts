import { isJsonObject } from '../../../domain/json-value.js';
import type { Session } from '../../../domain/session/session.js';
import type { Write } from '../surface/json-rpc.js';
import { claimsModern, type Modern2026 } from './modern-2026.js';
import type { StdioLine } from './stdio-line.js';

/**
 * The part of a connection that speaks 2026-07-28. Every request of that revision says so itself, so a client that
 * only looks what is there may still open a session of an older one.
 */
export class ModernStream {
  #line: Promise<StdioLine> | undefined;

  constructor(
    private readonly modern: Modern2026,
    private readonly session: Session,
    private readonly write: Write,
  ) {}

  /** false: it is none of this revision. */
  takes(value: unknown): boolean {
    const claims = claimsModern(value);
    if (claims)
      this.#line ??= this.modern.serving().then((serving) => serving.connect(this.session, this.write));
    // It does not say which revision the request is of that it takes back.
    if (claims || (this.#line !== undefined && isCancelling(value)))
      void this.#line?.then((line) => line.receive(value));
    return claims;
  }

  /** Lets calls under way end for a while. */
  async end(): Promise<void> {
    await (await this.#line)?.end();
  }
}

function isCancelling(value: unknown): boolean {
  return isJsonObject(value) && value.method === 'notifications/cancelled';
}
