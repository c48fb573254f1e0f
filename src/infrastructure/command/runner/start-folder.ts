import type { CommandViewRequest } from '../../../application/ports/command/command-view.js';
import { Result } from '../../../domain/result.js';
import {
  invalidInput,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../../domain/tool/tool-error.js';
import { isWithin } from '../program/toolchains.js';
import { folderAt } from './folder-kinds.js';

const TMP = '/tmp';

interface Places {
  readonly workspace: string;
  /** Folders that commands see. */
  readonly open: readonly string[];
  readonly home: string;
}

/** Where a command starts; canonical. */
export function startFolder(
  { cwd, paths }: CommandViewRequest,
  { workspace, open, home }: Places,
): Result<string, ToolError> {
  // Where only parts of the workspace are shown, it is there as the folder that holds them.
  const isThere = (folder: string): boolean =>
    open.some((root) => isWithin(folder, root) || (root !== home && isWithin(root, folder)));
  if (cwd === undefined) return Result.ok(isThere(workspace) ? workspace : home);
  const real = cwd === TMP ? TMP : folderAt(cwd);
  if (real === undefined) {
    const problem = { parameter_name: 'cwd', issue: 'cwd is no folder', expected: 'a folder that exists' };
    return toolFailure(
      invalidInput([{ ...problem, received: cwd, hint: 'Leave it out to work in the workspace.' }]),
    );
  }
  if (real === TMP || paths.canRead(real) || isThere(real)) {
    return Result.ok(real);
  }
  return toolFailure(
    permissionDenied(
      'NO_ALLOW',
      'Commands do not see this folder (cwd). Work in the workspace, or in a folder that the policy shows to commands.',
    ),
  );
}
