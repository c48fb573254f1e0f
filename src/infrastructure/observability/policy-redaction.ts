import type { PolicySnapshot, PolicySource } from '../../application/ports/permission/policy-source.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { createRedactor } from './redaction.js';
import type { SwitchableRedactor } from './switchable-redactor.js';

/** Keeps the redactors of logs and of results at what the policy in force says. */
export class PolicyRedaction {
  #unfollow: (() => void) | undefined;

  constructor(
    private readonly policies: PolicySource,
    private readonly logs: SwitchableRedactor,
    private readonly results: SwitchableRedactor,
    private readonly logger: Logger,
  ) {}

  /** Settles when the policy of this moment is followed. */
  async follow(): Promise<void> {
    await this.#use(this.policies.current());
    this.#unfollow = this.policies.onChange((snapshot) => void this.#use(snapshot));
  }

  stop(): void {
    this.#unfollow?.();
  }

  async #use({ redaction }: PolicySnapshot): Promise<void> {
    const { builtin, patterns } = redaction;
    for (const [purpose, redactor] of [
      ['log', this.logs],
      ['result', this.results],
    ] as const) {
      const made = await createRedactor({ purpose, builtin, patterns });
      if (made.success) redactor.use(made.value);
      else this.logger.error(`The redaction of ${purpose}s stays as it was`, { why: made.error });
    }
  }
}
