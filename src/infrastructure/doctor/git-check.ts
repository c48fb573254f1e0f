import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { hasConflicts, whyReadOnly } from '../command/git/airlock/airlocks.js';

/** Whether commands can commit, and whether something of theirs waits for the user. */
export class GitCheck implements DoctorCheck {
  readonly name = 'git';

  constructor(
    private readonly workspace: string,
    private readonly platform = process.platform,
  ) {}

  async run(): Promise<DoctorFinding> {
    const why =
      this.platform === 'linux'
        ? whyReadOnly(this.workspace)
        : 'this system cannot give commands a git folder of their own';
    if (why !== undefined)
      return {
        status: 'warn',
        detail: `commands can read the repository, and cannot commit: ${why}`,
        remedy: 'Commit what commands did yourself.',
      };
    if (hasConflicts(this.workspace))
      return {
        status: 'warn',
        detail: "commits of commands gave way to the user's and are kept below refs/airlock",
        remedy: 'castellan git status names them: merge or delete each.',
      };
    return { status: 'ok', detail: 'commands have a git folder of their own' };
  }
}
