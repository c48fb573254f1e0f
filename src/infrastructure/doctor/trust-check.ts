import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';

/** Files that were found and that nobody trusted: they are in force only as far as they narrow. */
export class TrustCheck implements DoctorCheck {
  readonly name = 'trust';

  constructor(private readonly notices: readonly string[]) {}

  async run(): Promise<DoctorFinding> {
    if (this.notices.length === 0) return { status: 'ok', detail: 'no untrusted file' };
    return {
      status: 'warn',
      detail: `${this.notices.length} found, not trusted`,
      remedy: this.notices.join('\n'),
    };
  }
}
