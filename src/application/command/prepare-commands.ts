import { inject, injectable } from 'inversify';
import type { Caller } from '../../domain/session/caller.js';
import { DecideCall } from '../permission/decide-call.js';
import { CommandSandbox } from '../ports/command/command-sandbox.js';
import { CommandViewFactory } from '../ports/command/command-view.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { Timer } from '../ports/system/timer.js';

const TOOL = 'execute_command';
/** Long after the client has its first answers, long before an agent has thought of a command. */
const AHEAD_MS = 300;

/** Does what the first command would otherwise wait for: tries the sandbox and looks for secrets in the workspace. */
@injectable()
export class PrepareCommands {
  constructor(
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(DecideCall) private readonly decideCall: DecideCall,
    @inject(CommandSandbox) private readonly sandbox: CommandSandbox,
    @inject(CommandViewFactory) private readonly viewFactory: CommandViewFactory,
    @inject(Timer) private readonly timer: Timer,
  ) {}

  /** Answers how to call it off. */
  soon(caller: Caller): () => void {
    return this.timer.someTimeAfter(AHEAD_MS, () => {
      // Whatever is wrong is told to the first command, which does all of it again.
      this.prepare(caller).catch(() => undefined);
    });
  }

  /** Nothing where the caller could not run any program in a sandbox. */
  async prepare(caller: Caller): Promise<void> {
    const { policy } = this.policies.current();
    if (!policy.allowsAnyProgram(TOOL)) return;
    await this.decideCall.load();
    const command = 'true';
    const requests = [{ kind: 'run-command', command }] as const;
    const decision = this.decideCall.decide(policy, {
      caller,
      tool: TOOL,
      arguments: { command },
      requests,
    });
    const profile = decision.effect === 'deny' ? undefined : decision.obligations.sandbox;
    if (profile === undefined) return;
    const { state } = await this.sandbox.detect();
    if (state === 'missing') return;
    await this.viewFactory.prepare({
      tool: TOOL,
      policy,
      paths: policy.viewFor(TOOL),
      profile,
      cwd: undefined,
    });
  }
}
