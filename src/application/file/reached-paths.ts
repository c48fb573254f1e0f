import { inject, injectable } from 'inversify';
import type { FileErrorKind } from '../../domain/file/file-error.js';
import { pathInWorkspace } from '../../domain/permission/path/normal-path.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { type FileAccess, type PathGuard, SafeFileSystem } from '../ports/file/safe-file-system.js';
import { Workspace } from '../ports/system/workspace.js';
import type { FileCall } from './file-call.js';
import { fileToolError } from './file-failure.js';

/** Kinds of failure that whoever makes the call meets itself; nothing is revealed by them. */
const HARMLESS: ReadonlySet<FileErrorKind> = new Set([
  'not-found',
  'not-a-directory',
  'is-a-directory',
  'no-permission',
  'read-only',
  'busy',
  'too-large',
  'name-too-long',
  'no-space',
  'too-many-open',
  'io',
]);

const ANYWHERE: PathGuard = { mayRead: () => true, mayWrite: () => true };

/** Looks where the paths of a call lead, through links and under other names, for a call that is made elsewhere. */
@injectable()
export class ReachedPaths {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(Workspace) private readonly workspace: Workspace,
  ) {}

  /** Why what the paths lead to may not be used; undefined if it may. */
  async refusal(requests: readonly PermissionRequest[], call: FileCall): Promise<ToolError | undefined> {
    for (const request of requests) {
      if (request.kind !== 'read-path' && request.kind !== 'write-path') continue;
      const path = pathInWorkspace(request.path, this.workspace);
      const { guard } = call.access;
      const writing: FileAccess = {
        ...call.access,
        guard: { mayRead: (at) => guard.mayWrite(at), mayWrite: (at) => guard.mayWrite(at) },
      };
      const access = request.kind === 'read-path' ? call.access : writing;
      const opened = await this.files.open(path, access);
      if (opened.success) opened.value.close();
      else if (!HARMLESS.has(opened.error.kind)) return fileToolError(opened.error);
      else if (request.kind === 'write-path' && !(await this.#mayMake(path, access))) {
        const message = `${request.path} leads through a link to a place that may not be written.`;
        return fileToolError({ kind: 'outside', path, message });
      }
    }
    return undefined;
  }

  /** Whether one of the paths that are read is a folder. */
  async holdFiles(requests: readonly PermissionRequest[], { access }: FileCall): Promise<boolean> {
    for (const request of requests) {
      if (request.kind !== 'read-path') continue;
      const path = pathInWorkspace(request.path, this.workspace);
      const info = await this.files.info(path, { followLinks: true }, access);
      if (info.success && info.value.kind === 'directory') return true;
    }
    return false;
  }

  /** A file that is not there yet: the folder that it would be made in may be behind a link. */
  async #mayMake(path: string, access: FileAccess): Promise<boolean> {
    const free: FileAccess = { guard: ANYWHERE, signal: access.signal };
    const names: string[] = [];
    for (let at = path; at !== '/' && at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const info = await this.files.info(at, { followLinks: true }, free);
      if (info.success) return access.guard.mayWrite([info.value.realPath, ...names].join('/'));
      names.unshift(at.slice(at.lastIndexOf('/') + 1));
    }
    return true;
  }
}
