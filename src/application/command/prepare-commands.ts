import { inject, injectable } from 'inversify';
import type { Session } from '../../domain/session/session.js';
import { SILENT_CHANNEL } from '../call/tool-context.js';
import { DecideCall } from '../permission/decide-call.js';
import { CommandRunner } from '../ports/command/command-runner.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { ExecuteCommandLineHandler } from './execute-command-line.js';

const TOOL = 'execute_command';

/**
 * Does in advance what the first command of a session would wait for, by running an empty one: tests the
 * sandbox, scans the workspace for secrets, starts the session.
 */
@injectable()
export class PrepareCommands {
  constructor(
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(DecideCall) private readonly decideCall: DecideCall,
    @inject(CommandRunner) private readonly runner: Pick<CommandRunner, 'status'>,
    @inject(ExecuteCommandLineHandler) private readonly commands: Pick<ExecuteCommandLineHandler, 'handle'>,
  ) {}

  /** Does nothing if the caller could not run any program in a sandbox. */
  async prepare(session: Session, signal: AbortSignal): Promise<void> {
    const { policy } = this.policies.current();
    if (!policy.allowsAnyProgram(TOOL)) return;
    await this.decideCall.load();
    const args = { command: 'true' };
    const decision = this.decideCall.decide(policy, {
      caller: session.caller,
      tool: TOOL,
      arguments: args,
      requests: [{ kind: 'run-command', ...args }],
    });
    if (decision.effect === 'deny' || decision.obligations.sandbox === undefined) return;
    const { state } = await this.runner.status();
    if (state === 'missing' || signal.aborted) return;
    const { obligations, plans } = decision;
    const grant = { view: policy.viewFor(TOOL), obligations, policy, plans };
    await this.commands.handle(args, {
      ...SILENT_CHANNEL,
      session,
      grant,
      signal,
      correlationId: '-',
      meta: {},
    });
  }
}
