import { inject, injectable } from 'inversify';
import { applyEdits, EDIT_LIMITS } from '../../domain/file/text-edit.js';
import { pathInWorkspace } from '../../domain/permission/path/normal-path.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { FileChange, PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import { relativeTo } from '../file/file-call.js';
import { Redactor } from '../ports/audit/redactor.js';
import type { StopSignal } from '../ports/file/file-work.js';
import { SafeFileSystem } from '../ports/file/safe-file-system.js';
import { TextFormats } from '../ports/file/text-formats.js';
import { Workspace } from '../ports/system/workspace.js';

/** Nobody reads the difference of larger files before they answer. */
const MAX_BYTES = 256 * 1024;
const MAX_SHOWN = 12_000;

/** Shows a person who is asked what a call would change in a text file. */
@injectable()
export class ShowChange {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(TextFormats) private readonly formats: TextFormats,
    @inject(Workspace) private readonly workspace: Workspace,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  /** A unified diff, redacted; undefined where the call changes no text that can be compared. */
  async describe(
    requests: readonly PermissionRequest[],
    policy: PermissionPolicy,
    tool: string,
    signal: StopSignal,
  ): Promise<string | undefined> {
    for (const request of requests) {
      if (request.kind !== 'write-path' || request.change === undefined) continue;
      const path = pathInWorkspace(request.path, this.workspace);
      const before = await this.#read(path, policy, tool, signal);
      const after = before === undefined ? undefined : changed(before, request.change);
      if (before === undefined || after === undefined || after.length > MAX_BYTES) return undefined;
      const shown = relativeTo(this.workspace.root, path);
      const diff = this.redactor.text(await this.formats.diff(shown, before, after));
      return diff.length <= MAX_SHOWN
        ? diff
        : `${diff.slice(0, MAX_SHOWN)}\n[… ${diff.length - MAX_SHOWN} characters more]`;
    }
    return undefined;
  }

  /** Empty where there is no file yet. */
  async #read(
    path: string,
    policy: PermissionPolicy,
    tool: string,
    signal: StopSignal,
  ): Promise<string | undefined> {
    const view = policy.viewFor(tool);
    const guard = { mayRead: (name: string) => view.canRead(name), mayWrite: () => false };
    const read = await this.files.readBytes(path, { offset: 0, length: MAX_BYTES }, { guard, signal });
    if (!read.success) return read.error.kind === 'not-found' ? '' : undefined;
    const { bytes, info } = read.value;
    if (info.size > bytes.length) return undefined;
    const text = await this.formats.decode(bytes);
    return text.success ? text.value.text : undefined;
  }
}

function changed(before: string, change: FileChange): string | undefined {
  switch (change.kind) {
    case 'content':
      return change.text;
    case 'append':
      return before + change.text;
    case 'edits': {
      const edited = applyEdits(before, change.edits, { ...EDIT_LIMITS, maxLength: MAX_BYTES });
      return edited.success ? edited.value.text : undefined;
    }
  }
}
