import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';

export interface ConfigurationFindings {
  /** Why the configuration cannot be used, a line each. */
  readonly problem?: string;
  /** Where another check tells the problem: what there has to be first. */
  readonly waitsFor?: string;
  readonly origin: readonly string[];
  readonly doubtful: number;
}

/** Whether the policy and the settings can be used at all. */
export class ConfigurationCheck implements DoctorCheck {
  readonly name = 'policy';
  readonly about = 'configuration';

  constructor(private readonly found: ConfigurationFindings) {}

  async run(): Promise<DoctorFinding> {
    const { problem, waitsFor, origin, doubtful } = this.found;
    if (waitsFor !== undefined) return { status: 'warn', detail: `not read: there is no ${waitsFor}` };
    if (problem !== undefined) {
      return {
        status: 'missing',
        detail: 'the server cannot start with these files',
        remedy: `${problem}\nCorrect these, then run castellan doctor again`,
      };
    }
    const detail = origin.join(', ');
    if (doubtful === 0) return { status: 'ok', detail };
    return {
      status: 'warn',
      detail: `${detail}: ${doubtful} doubtful rule${doubtful === 1 ? '' : 's'}`,
      remedy: 'Run `castellan policy check`.',
    };
  }
}
