import { inject, injectable } from 'inversify';
import { MachineFacts } from '../ports/system/machine-facts.js';
import { Workspace } from '../ports/system/workspace.js';
import { describeSandbox, GetSandboxStatusHandler } from './get-sandbox-status.js';

export interface SystemInfo {
  readonly platform: string;
  readonly system: string;
  readonly release: string;
  readonly version: string;
  readonly machine: string;
  readonly processor: string;
  readonly node_version: string;
  readonly python_version: null;
  readonly cwd: string;
  readonly user: string;
  readonly sandbox: string;
}

/** Describes the machine as far as a caller may know it: no variables, no secrets. */
@injectable()
export class GetSystemInfoHandler {
  constructor(
    @inject(MachineFacts) private readonly machine: MachineFacts,
    @inject(Workspace) private readonly workspace: Workspace,
    @inject(GetSandboxStatusHandler) private readonly sandbox: GetSandboxStatusHandler,
  ) {}

  async handle(): Promise<SystemInfo> {
    const { nodeVersion, user, ...facts } = this.machine.read();
    return {
      ...facts,
      node_version: nodeVersion,
      python_version: null,
      cwd: this.workspace.root,
      user,
      sandbox: describeSandbox(await this.sandbox.handle()),
    };
  }
}
