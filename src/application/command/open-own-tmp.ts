import { inject, injectable } from 'inversify';
import { OwnTmp } from '../../domain/permission/path/own-tmp.js';
import type { Decision } from '../../domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { CommandRunner } from '../ports/command/command-runner.js';
import { Workspace } from '../ports/system/workspace.js';
import { SessionCommands } from './session-commands.js';

/** Finds the folder that the commands of a session have as /tmp, for tools that were allowed to use it. */
@injectable()
export class OpenOwnTmp {
  constructor(
    @inject(CommandRunner) private readonly runner: CommandRunner,
    @inject(SessionCommands) private readonly sessions: SessionCommands,
    @inject(Workspace) private readonly workspace: Workspace,
  ) {}

  /** undefined: the call has nothing to do there. */
  async open(
    decision: Decision,
    session: Session,
    tool: string,
    policy: PermissionPolicy,
  ): Promise<Result<OwnTmp | undefined, ToolError>> {
    if (decision.effect === 'deny' || decision.inOwnTmp !== true) return Result.ok(undefined);
    const folder = await this.runner.tmpOf(session.id);
    if (folder === undefined) return toolFailure(executionFailed(NONE));
    this.sessions.keep(session);
    const { root } = this.workspace;
    return Result.ok(new OwnTmp(folder, root, policy.viewFor(tool), policy.ownTmpViewFor(tool)));
  }
}

const NONE =
  'There is no /tmp for this session: no sandbox contains commands here. castellan doctor says what is missing. Use a path in the workspace.';
