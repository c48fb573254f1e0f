import { injectable } from 'inversify';
import type { AskOutcome, InstanceLink, LinkHandler } from '../../application/ports/session/instance-link.js';

/** For an instance that is alone: it can only ask itself. */
@injectable()
export class InProcessInstanceLink implements InstanceLink {
  readonly self = 'alone';
  readonly holdsLease = true;
  #handler: LinkHandler | undefined;

  async isAlive(instance: string): Promise<boolean> {
    return instance === this.self;
  }

  async ask(to: string, body: string, onPart: (part: string) => void): Promise<AskOutcome> {
    if (to !== this.self || this.#handler === undefined) return 'not-delivered';
    await this.#handler.request(body, onPart);
    return 'answered';
  }

  tell(to: string | undefined, body: string): void {
    if (to === this.self) this.#handler?.message(body);
  }

  serve(handler: LinkHandler): void {
    this.#handler = handler;
  }
}
