import { inject, injectable } from 'inversify';
import type { Caller } from '../../domain/session/caller.js';
import { CallAuthoriser } from '../permission/call-authoriser.js';
import { CommandGrounds } from '../ports/command/command-ground.js';
import { CommandSandbox } from '../ports/command/command-sandbox.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { Alarm } from '../ports/system/alarm.js';

const TOOL = 'execute_command';
/** Long after the client has its first answers, long before an agent has thought of a command. */
const AHEAD_MS = 300;

/** Does what the first command would otherwise wait for: tries the sandbox and looks for secrets in the workspace. */
@injectable()
export class PrepareCommands {
  constructor(
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(CallAuthoriser) private readonly authoriser: CallAuthoriser,
    @inject(CommandSandbox) private readonly sandbox: CommandSandbox,
    @inject(CommandGrounds) private readonly grounds: CommandGrounds,
    @inject(Alarm) private readonly alarm: Alarm,
  ) {}

  /** Answers how to call it off. */
  soon(caller: Caller): () => void {
    return this.alarm.someTimeAfter(AHEAD_MS, () => {
      // Whatever is wrong is told to the first command, which does all of it again.
      this.prepare(caller).catch(() => undefined);
    });
  }

  /** Nothing where the caller could not run any program in a sandbox. */
  async prepare(caller: Caller): Promise<void> {
    const { policy } = this.policies.current();
    if (!policy.allowsAnyProgram(TOOL)) return;
    await this.authoriser.load();
    const command = 'true';
    const requests = [{ kind: 'run-command', command }] as const;
    const decision = this.authoriser.authorise(policy, {
      caller,
      tool: TOOL,
      arguments: { command },
      requests,
    });
    const profile = decision.effect === 'deny' ? undefined : decision.obligations.sandbox;
    if (profile === undefined) return;
    const { state } = await this.sandbox.detect();
    if (state === 'missing') return;
    await this.grounds.prepare({ tool: TOOL, policy, paths: policy.viewFor(TOOL), profile, cwd: undefined });
  }
}
