import type { Logger } from '../../application/ports/system/logger.js';
import { formatProblem } from '../../domain/file-problem.js';
import type { Configuration } from '../configuration/configuration.js';

const WATCH_AFTER_MS = 200;

/** Follows the policy file while the server runs, and tells the operator what became of it. */
export class FollowedPolicy {
  #stop: (() => void) | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly configuration: Configuration,
    private readonly logger: Logger,
  ) {}

  /** Before the first call. */
  begin(): void {
    for (const notice of this.configuration.notices) this.logger.warn(notice);
    for (const warning of this.configuration.warnings) this.logger.warn(formatProblem(warning));
    const unfollow = this.configuration.policy.onChange(({ problems, origin, notice }) => {
      if (problems.length === 0 && notice !== undefined) this.logger.warn(notice);
      else if (problems.length === 0) this.logger.info('The policy was reloaded', { origin });
      else {
        this.logger.error('The policy on disk is invalid; the last valid one stays active', {
          problems: problems.map(formatProblem),
        });
      }
    });
    const timer = this.#watchSoon();
    this.#stop = () => {
      unfollow();
      clearTimeout(timer);
    };
  }

  /**
   * Changes of the policy file take effect while the server runs. The first calls come before the watcher; what
   * changes meanwhile is noticed all the same.
   */
  #watchSoon(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#watching = this.configuration.policy
        .watch()
        .catch((error: unknown) =>
          this.logger.error('The policy file cannot be watched; changes need a restart', { error }),
        );
    }, WATCH_AFTER_MS).unref();
  }

  async end(): Promise<void> {
    this.#stop?.();
    await this.#watching;
    await this.configuration.policy.close();
  }
}
