import type { AuditLog } from '../../application/ports/audit/audit-log.js';
import type { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { formatProblem } from '../../domain/file-problem.js';
import type { PolicyRedaction } from '../../infrastructure/observability/policy-redaction.js';
import type { Configuration } from '../configuration/configuration.js';

const WATCH_AFTER_MS = 200;

/** What begins and ends with the server: following the policy, and closing what was opened. */
export class Lifecycle {
  readonly #disposers: (() => void)[] = [];
  #recovery: Promise<void> = Promise.resolve();
  #watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly configuration: Configuration,
    private readonly redaction: PolicyRedaction,
    private readonly audit: AuditLog,
    private readonly files: SafeFileSystem,
    private readonly logger: Logger,
    private readonly sandbox: { close(): Promise<void> },
  ) {}

  /** Before the first call. */
  async begin(): Promise<void> {
    for (const notice of this.configuration.notices) this.logger.warn(notice);
    for (const warning of this.configuration.warnings) this.logger.warn(formatProblem(warning));
    const stop = this.configuration.policy.onChange(({ problems, origin, notice }) => {
      if (problems.length === 0 && notice !== undefined) this.logger.warn(notice);
      else if (problems.length === 0) this.logger.info('The policy was reloaded', { origin });
      else {
        this.logger.error('The policy on disk is wrong; the last good one stays in force', {
          problems: problems.map(formatProblem),
        });
      }
    });
    this.#disposers.push(stop, await this.redaction.follow());
    this.#watchSoon();
    const { files, live, readSettings } = this.configuration;
    if (files.config !== undefined) live.watch(files.config, readSettings, this.logger);
    this.#disposers.push(() => live.close());
    // Nobody waits for it: only what dead processes left is touched.
    this.#recovery = this.recoverFiles();
  }

  private async recoverFiles(): Promise<void> {
    await Promise.resolve();
    try {
      const cleaned = await this.files.recover();
      if (cleaned > 0) this.logger.info('Removed what a killed process had left half written', { cleaned });
    } catch (error) {
      this.logger.warn('Leftovers of an earlier process could not be removed', { error });
    }
  }

  /**
   * Changes of the policy file take effect while the server runs. The first calls come before the watcher; what
   * changes meanwhile is noticed all the same.
   */
  #watchSoon(): void {
    const timer = setTimeout(() => {
      this.#watching = this.configuration.policy
        .watch()
        .catch((error: unknown) =>
          this.logger.error('The policy file cannot be watched; a change takes a restart', { error }),
        );
    }, WATCH_AFTER_MS).unref();
    this.#disposers.push(() => clearTimeout(timer));
  }

  async end(): Promise<void> {
    for (const dispose of this.#disposers.splice(0)) dispose();
    await this.#recovery;
    await this.#watching;
    await this.configuration.policy.close();
    await this.sandbox.close();
    const closed = await this.audit.close();
    if (!closed.success) this.logger.warn('The audit log did not close', { why: closed.error });
  }
}
