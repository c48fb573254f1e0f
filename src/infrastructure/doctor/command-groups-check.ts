import type { DoctorCheck, DoctorFinding } from '../../application/ports/system/doctor-check.js';
import { findDelegated, type GroupTree } from '../command/process/command-groups.js';

/** What counts the memory of commands. Most machines have no group to give, and that is no fault. */
export class CommandGroupsCheck implements DoctorCheck {
  readonly name = 'memory limits';

  constructor(private readonly tree?: GroupTree) {}

  async run(): Promise<DoctorFinding> {
    const found = findDelegated(this.tree);
    const detail =
      'why' in found
        ? `measured ten times a second, without pipes and small kernel objects; a server started from here has no cgroup v2 of its own: ${found.why}`
        : 'a cgroup v2 for each command, by the kernel (unproved: not tried on a machine with it)';
    return { status: 'ok', detail };
  }
}
