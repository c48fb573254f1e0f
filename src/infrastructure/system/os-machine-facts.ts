import { arch, cpus, machine, release, type as systemName, version } from 'node:os';
import type { Machine, MachineFacts } from '../../application/ports/system/machine-facts.js';

/** Asks the operating system, and two variables for the user's name. */
export class OsMachineFacts implements MachineFacts {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  read(): Machine {
    const { USER, USERNAME } = this.environment;
    return {
      platform: `${systemName()}-${release()}-${machine()}`,
      system: systemName(),
      release: release(),
      version: version(),
      machine: machine(),
      processor: cpus()[0]?.model ?? arch(),
      nodeVersion: process.versions.node,
      user: USER || USERNAME || 'unknown',
    };
  }
}
