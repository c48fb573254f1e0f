import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { askProgram } from './found-program.js';

export class RipgrepCheck implements DoctorCheck {
  readonly name = 'ripgrep';

  constructor(private readonly program = 'rg') {}

  async run(): Promise<DoctorFinding> {
    const answer = await askProgram(this.program, ['--version']);
    if ('text' in answer) return { status: 'ok', detail: answer.text };
    return {
      status: 'warn',
      detail: `${answer.why}: content is searched without it, more slowly`,
      remedy: 'Install ripgrep, for example: apt install ripgrep',
    };
  }
}
