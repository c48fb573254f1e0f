import { homedir } from 'node:os';
import { GuardedAccess } from '../../src/application/file/guarded-access.js';
import { HardLinkGuard } from '../../src/application/file/hard-link-guard.js';
import type { SafeFileSystem } from '../../src/application/ports/file/safe-file-system.js';
import type { PolicySource } from '../../src/application/ports/permission/policy-source.js';
import { DiskInodeScan } from '../../src/infrastructure/file/disk-inode-scan.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import type { FolderTools } from '../../src/infrastructure/file/guarded-folder.js';
import { SystemClock } from '../../src/infrastructure/system/system-clock.js';
import { OpenPolicy } from '../../src/testing/open-policy.js';

/** The way to the files of a folder of settings, in a workspace on a real disk. */
export function folderTools(
  disk: { readonly root: string; readonly state: string },
  policies: PolicySource = new OpenPolicy(),
  files: SafeFileSystem = new GuardedFileSystem(disk.state),
): FolderTools {
  const links = new HardLinkGuard(new DiskInodeScan(homedir()), { root: disk.root }, new SystemClock());
  const accesses = new GuardedAccess(links, { isEmpty: true, find: () => undefined });
  return { files, accesses, policies };
}
