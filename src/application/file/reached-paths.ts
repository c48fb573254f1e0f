import { inject, injectable } from 'inversify';
import type { FileErrorKind } from '../../domain/file/file-error.js';
import { pathInWorkspace } from '../../domain/permission/path/normal-path.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import { type FileAccess, type PathGuard, SafeFileSystem } from '../ports/file/safe-file-system.js';
import { Workspace } from '../ports/system/workspace.js';
import type { FileCall } from './file-call.js';
import { fileToolError } from './file-failure.js';

/** Failures that the program making the call gets itself; they reveal nothing. */
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

/**
 * Checks where the paths of a call lead, through links and under other names, for a call made by another
 * program.
 */
@injectable()
export class ReachedPaths {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(Workspace) private readonly workspace: Workspace,
  ) {}

  /** Why the targets of the paths may not be used; undefined if they may. */
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
        const message = `${request.path} leads through a link to a path that may not be written.`;
        return fileToolError({ kind: 'outside', path, message });
      }
    }
    return undefined;
  }

  /** Returns true if no path to be read is a directory. */
  async holdFiles(requests: readonly PermissionRequest[], { access }: FileCall): Promise<boolean> {
    for (const request of requests) {
      if (request.kind !== 'read-path') continue;
      const path = pathInWorkspace(request.path, this.workspace);
      const info = await this.files.info(path, { followLinks: true }, access);
      if (info.success && info.value.kind === 'directory') return true;
    }
    return false;
  }

  /** A file that does not exist yet: the directory of the new file may be behind a link. */
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
