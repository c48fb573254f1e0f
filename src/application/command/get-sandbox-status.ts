import { inject, injectable } from 'inversify';
import type { SandboxStatus } from '../ports/command/command-sandbox.js';
import { ChooseSandbox } from './choose-sandbox.js';

/** What contains commands on this machine, or what is missing and what a person does about it. */
@injectable()
export class GetSandboxStatusHandler {
  constructor(@inject(ChooseSandbox) private readonly sandboxes: ChooseSandbox) {}

  handle(): Promise<SandboxStatus> {
    return this.sandboxes.status();
  }
}

/** In one line. */
export function describeSandbox(status: SandboxStatus): string {
  return status.state === 'available' ? status.description : `none: ${status.reason} ${status.remedy}`;
}
