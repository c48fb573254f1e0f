import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import type { InstanceFacts, SharedState } from '../../application/ports/system/shared-state.js';
import { instanceText, remedyForDifferences } from '../../application/session/instance-differences.js';

/** Looks at the Redis that instances share, and at those that do. */
export class RedisCheck implements DoctorCheck {
  readonly name = 'redis';

  /** `open`: takes part for a moment, under no name of its own; undefined where Redis is not configured. */
  constructor(
    private readonly version: string,
    private readonly open: (() => Promise<SharedState>) | undefined,
  ) {}

  async run(): Promise<DoctorFinding> {
    if (this.open === undefined) return { status: 'ok', detail: 'not configured: everything is embedded' };
    try {
      return await this.#look(await this.open());
    } catch (error) {
      return wanting(error instanceof Error ? error.message : String(error));
    }
  }

  async #look(shared: SharedState): Promise<DoctorFinding> {
    try {
      await shared.join();
      const status = shared.status();
      if (status.state !== 'joined') return wanting('why' in status ? status.why : 'it cannot be used');
      const others = status.instances.filter(({ instance }) => instance !== status.instance);
      return this.#judge(others, status.skewMs);
    } finally {
      await shared.close();
    }
  }

  #judge(others: readonly InstanceFacts[], ownSkewMs: number): DoctorFinding {
    const detail = `answers; ${others.length} instances serve (${others.map(instanceText).join(', ') || 'none now'}), this machine's clock differs by ${ownSkewMs} ms`;
    const remedy = remedyForDifferences([{ version: this.version, skewMs: ownSkewMs }, ...others]);
    if (remedy !== undefined) return { status: 'warn', detail, remedy };
    return { status: 'ok', detail };
  }
}

function wanting(detail: string): DoctorFinding {
  return {
    status: 'missing',
    detail,
    remedy: 'Start Redis there, correct redis.url, or remove it to keep everything embedded.',
  };
}
