import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';

const OLDEST = { major: 20, minor: 19 };

export class NodeCheck implements DoctorCheck {
  readonly name = 'node';

  constructor(private readonly version: string) {}

  async run(): Promise<DoctorFinding> {
    const [major = 0, minor = 0] = this.version.split('.').map(Number);
    const detail = `Node ${this.version}`;
    if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) {
      return { status: 'ok', detail };
    }
    return { status: 'missing', detail, remedy: `Install Node ${OLDEST.major}.${OLDEST.minor} or newer.` };
  }
}
