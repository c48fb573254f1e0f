import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { ripgrepPath } from '../file/search/ripgrep-search.js';
import { askProgram } from './found-program.js';

/** The ripgrep that content is searched with: the one of the npm package, not one on the PATH. */
export class RipgrepCheck implements DoctorCheck {
  readonly name = 'ripgrep';

  constructor(private readonly find: () => Promise<string | undefined> = ripgrepPath) {}

  async run(): Promise<DoctorFinding> {
    const program = await this.find();
    const answer =
      program === undefined
        ? { why: 'its package has no program for this machine' }
        : await askProgram(program, ['--version']);
    if ('text' in answer) return { status: 'ok', detail: answer.text };
    return {
      status: 'warn',
      detail: `${answer.why}: content is searched without it, more slowly`,
      remedy:
        'Install Castellan again without --omit=optional; on a platform without ripgrep there is nothing to do.',
    };
  }
}
