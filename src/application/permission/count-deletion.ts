import { inject, injectable } from 'inversify';
import { showPath } from '../../domain/file/file-error.js';
import { relativeTo } from '../file/file-call.js';
import { describeBytes } from '../file/text-part.js';
import type { StopSignal } from '../ports/file/file-work.js';
import { type FileAccess, SafeFileSystem } from '../ports/file/safe-file-system.js';
import { Workspace } from '../ports/system/workspace.js';

/** Enough for a person to decide. */
const MOST_FILES = 10_000;
const MOST_SHOWN = 5;

interface Count {
  files: number;
  bytes: number;
  isMore: boolean;
}

/** Tells a person who is asked how much would be deleted. */
@injectable()
export class CountDeletion {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(Workspace) private readonly workspace: Workspace,
  ) {}

  /** undefined if nothing of it exists. */
  async describe(paths: readonly string[], signal: StopSignal): Promise<string | undefined> {
    const count: Count = { files: 0, bytes: 0, isMore: false };
    // Only numbers are shown, so names that the caller may not see count as well.
    const access: FileAccess = { guard: { mayRead: () => true, mayWrite: () => true }, signal };
    let found = false;
    for (const path of paths) found = (await this.#add(path, count, access)) || found;
    if (!found) return undefined;
    const files = count.isMore ? `more than ${MOST_FILES.toLocaleString('en')} files` : filesOf(count.files);
    const size = `${count.isMore ? 'more than ' : ''}${describeBytes(count.bytes)}`;
    return `This would delete ${files} (${size}) for good: ${this.#named(paths)}.`;
  }

  async #add(path: string, count: Count, access: FileAccess): Promise<boolean> {
    const info = await this.files.info(path, { followLinks: false }, access);
    if (!info.success) return false;
    if (info.value.kind !== 'directory') {
      count.files += 1;
      count.bytes += info.value.kind === 'file' ? info.value.size : 0;
      return true;
    }
    const walk = await this.files.walk(path, { times: true }, access);
    if (!walk.success) return true;
    for await (const batch of walk.value) {
      for (const { kind, times } of batch) {
        if (kind === 'directory') continue;
        count.isMore = count.files >= MOST_FILES;
        if (count.isMore) return true;
        count.files += 1;
        count.bytes += kind === 'file' ? (times?.size ?? 0) : 0;
      }
    }
    return true;
  }

  #named(paths: readonly string[]): string {
    const { root } = this.workspace;
    const names = paths
      .slice(0, MOST_SHOWN)
      .map((path) => (path === root ? 'the whole workspace' : showPath(relativeTo(root, path))));
    const more = paths.length - names.length;
    return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
}
