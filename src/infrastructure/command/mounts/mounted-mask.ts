import type { Mount } from './mount-plan.js';
import type { MountTable } from './mount-table.js';
import { isNullDevice, lookAt } from './mount-verifier.js';
import { isSame, type SandboxFolders } from './sandbox-folders.js';

/** A name that is missing or leads through a link hides nothing that has no other name, which is covered for itself. */
export function isReached(path: string, folders: SandboxFolders): boolean {
  try {
    folders.look(path);
    return true;
  } catch {
    return false;
  }
}

export function isMasked(mount: Mount, folders: SandboxFolders, table: MountTable): boolean {
  try {
    const { found, mount: id } = folders.lookWithMount(mount.path);
    const options = table.get(id)?.options ?? [];
    switch (mount.kind) {
      case 'mask-file':
        return isNullDevice(found) && options.includes('nodev');
      case 'mask-folder':
        return isSame(found, lookAt(mount.source));
      case 'read':
        return options.includes('ro');
      case 'write':
      case 'temporary':
      case 'link':
        return true;
    }
  } catch {
    // A name on the way is missing or has become a link.
    return false;
  }
}
