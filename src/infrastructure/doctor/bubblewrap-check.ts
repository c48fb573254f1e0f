import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { askProgram } from './found-program.js';

const SMALLEST_SANDBOX = ['--ro-bind', '/', '/', '--unshare-all', '--die-with-parent', 'true'];

/** Installed is not enough: containers and some distributions forbid the namespaces it needs. */
export class BubblewrapCheck implements DoctorCheck {
  readonly name = 'sandbox';

  constructor(
    /** Undefined where the policy is not known. */
    private readonly needed: boolean | undefined,
    private readonly program = 'bwrap',
  ) {}

  async run(): Promise<DoctorFinding> {
    const version = await askProgram(this.program, ['--version']);
    if (!('text' in version))
      return this.wanting(version.why, 'Install it, for example: apt install bubblewrap');
    const tried = await askProgram(this.program, SMALLEST_SANDBOX);
    if ('text' in tried) return { status: 'ok', detail: version.text };
    return this.wanting(
      `${version.text} cannot make a sandbox here (${tried.why})`,
      'Allow user namespaces: on Ubuntu 24.04 an AppArmor profile for bwrap, in a container --security-opt seccomp=unconfined or a runtime that permits them; WSL1 has none.',
    );
  }

  private wanting(why: string, remedy: string): DoctorFinding {
    return {
      status: this.needed ? 'missing' : 'warn',
      detail: `bubblewrap: ${why}${this.needed === false ? '; the policy runs no commands' : '; commands are refused'}`,
      remedy,
    };
  }
}
