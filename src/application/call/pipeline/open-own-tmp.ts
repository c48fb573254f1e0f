import { inject, injectable } from 'inversify';
import { OwnTmp } from '../../../domain/permission/path/own-tmp.js';
import type { Decision } from '../../../domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import { executionFailed, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';
import { OwnTmpFolders } from '../../ports/session/own-tmp-folders.js';
import { Workspace } from '../../ports/system/workspace.js';

/** Finds the folder that the commands of a session have as /tmp, for a tool that was allowed to use it. */
@injectable()
export class OpenOwnTmp {
  constructor(
    @inject(OwnTmpFolders) private readonly folders: OwnTmpFolders,
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
    const folder = await this.folders.of(session);
    if (folder === undefined) return toolFailure(executionFailed(NONE));
    const { root } = this.workspace;
    return Result.ok(new OwnTmp(folder, root, policy.viewFor(tool), policy.ownTmpViewFor(tool)));
  }
}

const NONE =
  'There is no /tmp for this session: no sandbox contains commands here. castellan doctor says what is missing. Use a path in the workspace.';
