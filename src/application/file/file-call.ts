import { inject, injectable } from 'inversify';
import { isInside, pathInWorkspace } from '../../domain/permission/path/normal-path.js';
import { BaseBudget, type CallBudget } from '../call/call-budget.js';
import type { ToolContext } from '../call/tool-context.js';
import type { FileAccess } from '../ports/file/safe-file-system.js';
import { Clock } from '../ports/system/clock.js';
import { Workspace } from '../ports/system/workspace.js';
import { GuardedAccess } from './guarded-access.js';

/** File access of one call: how its paths resolve, what it may access and how large its result may be. */
export interface FileCall {
  readonly access: FileAccess;
  readonly signal: AbortSignal;
  /** Bytes of text in the result. */
  readonly maxOutputBytes: number;
  /** Estimated (default: the setting). */
  readonly maxTokens?: number;
  /** The largest file that the policy lets a call create or replace (default: unlimited). */
  readonly maxFileBytes?: number;
  /** The absolute path of an argument; messages then show it as given. */
  resolve(given: string): string;
  /** Relative to the workspace if it is inside. */
  show(absolute: string): string;
}

const PROGRESS_EVERY_MS = 250;

@injectable()
export class FileCalls {
  constructor(
    @inject(Workspace) private readonly workspace: Workspace,
    @inject(BaseBudget) private readonly budget: CallBudget,
    @inject(GuardedAccess) private readonly accesses: GuardedAccess,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  open(context: ToolContext): FileCall {
    const { root } = this.workspace;
    const { view, obligations, policy, ownTmp } = context.grant;
    const { maxOutputBytes = this.budget.maxOutputBytes, maxFileBytes } = obligations.limits;
    const given = new Map<string, string>();
    const show = (absolute: string) => relativeTo(root, ownTmp?.shown(absolute) ?? absolute);
    return {
      access: this.accesses.of({
        guard: {
          mayRead: (path) => view.canRead(path),
          mayWrite: (path) => view.canWrite(path),
          mayReadIn: (folder) => view.readableIn(folder),
        },
        signal: context,
        display: (absolute) => given.get(absolute) ?? show(absolute),
        landed: (file) =>
          context.landed?.(ownTmp === undefined ? file : { ...file, path: ownTmp.shown(file.path) }),
        progress: reporter(context, this.clock),
        policy,
        mayReadName: (path) => view.canRead(path),
        mayReadFrom: (path) => view.canRead(path),
      }),
      get signal() {
        return context.signal;
      },
      maxOutputBytes,
      ...(maxFileBytes !== undefined && { maxFileBytes }),
      resolve: (path) => {
        const meant = pathInWorkspace(path, this.workspace);
        const absolute = ownTmp?.locate(meant) ?? meant;
        given.set(absolute, path);
        return absolute;
      },
      show,
    };
  }
}

export function relativeTo(root: string, absolute: string): string {
  if (absolute === root) return '.';
  if (!isInside(absolute, root)) return absolute;
  return absolute.slice(root === '/' ? 1 : root.length + 1);
}

/** Progress must increase and not flood: at most one notification per quarter of a second. */
function reporter(context: ToolContext, clock: Clock): (done: number) => void {
  let last = clock.elapsed();
  let told = 0;
  return (done) => {
    if (done <= told || clock.elapsed() - last < PROGRESS_EVERY_MS) return;
    last = clock.elapsed();
    told = done;
    context.progress(done, undefined, `${done} entries so far`);
  };
}
