import { inject, injectable } from 'inversify';
import type { SandboxStatus } from '../ports/command/command-sandbox.js';
import { ChooseSandbox } from './choose-sandbox.js';

/** Reports which sandbox this machine has, or what is missing and how to fix that. */
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
