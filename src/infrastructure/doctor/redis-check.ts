import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import type { InstanceFacts, SharedState } from '../../application/ports/system/shared-state.js';

/** Beyond this, times of one instance mean something else at another. */
const MAX_SKEW_MS = 2000;

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
      const others = (await shared.instances()).filter(({ instance }) => instance !== status.instance);
      return this.#judge(others, status.skewMs);
    } finally {
      await shared.close();
    }
  }

  #judge(others: readonly InstanceFacts[], ownSkewMs: number): DoctorFinding {
    const detail = `answers; ${others.length} instances serve (${others.map(factsText).join(', ') || 'none now'}), this machine's clock differs by ${ownSkewMs} ms`;
    const skewed = [ownSkewMs, ...others.map(({ skewMs }) => skewMs)].some(
      (skew) => Math.abs(skew) > MAX_SKEW_MS,
    );
    const versions = new Set([this.version, ...others.map(({ version }) => version)]);
    if (skewed) return { status: 'warn', detail, remedy: 'Set the clocks of all machines with NTP.' };
    if (versions.size > 1)
      return {
        status: 'warn',
        detail,
        remedy: 'Bring all instances to one version when the upgrade is done.',
      };
    return { status: 'ok', detail };
  }
}

function factsText({ instance, version, skewMs }: InstanceFacts): string {
  return `${instance} ${version} ${skewMs} ms`;
}

function wanting(detail: string): DoctorFinding {
  return {
    status: 'missing',
    detail,
    remedy: 'Start Redis there, correct redis.url, or remove it to keep everything embedded.',
  };
}
