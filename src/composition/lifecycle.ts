import type { AuditLog } from '../application/ports/audit-log.js';
import type { Logger } from '../application/ports/logger.js';
import { formatProblem } from '../domain/file-problem.js';
import type { PolicyRedaction } from '../infrastructure/observability/policy-redaction.js';
import type { Configuration } from './configuration.js';

/** What begins and ends with the server: following the policy, and closing what was opened. */
export class Lifecycle {
  readonly #endings: (() => void)[] = [];

  constructor(
    private readonly configuration: Configuration,
    private readonly redaction: PolicyRedaction,
    private readonly audit: AuditLog,
    private readonly logger: Logger,
  ) {}

  /** Before the first call. */
  async begin(): Promise<void> {
    for (const notice of this.configuration.notices) this.logger.warn(notice);
    const stop = this.configuration.policy.onChange(({ problems, origin }) => {
      if (problems.length === 0) this.logger.info('The policy was reloaded', { origin });
      else {
        this.logger.error('The policy on disk is wrong; the last good one stays in force', {
          problems: problems.map(formatProblem),
        });
      }
    });
    this.#endings.push(stop, await this.redaction.follow());
  }

  /** For a server that stays: changes of the policy file take effect while it runs. */
  async watch(): Promise<void> {
    await this.configuration.policy.watch();
  }

  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0)) ending();
    await this.configuration.policy.close();
    const closed = await this.audit.close();
    if (!closed.success) this.logger.warn('The audit log did not close', { why: closed.error });
  }
}
