import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import type { CommandSandbox } from '../../application/ports/command/command-sandbox.js';
import { ContentSearch } from '../../application/ports/file/content-search.js';
import { FileWalker } from '../../application/ports/file/file-walker.js';
import { InodeScan } from '../../application/ports/file/inode-scan.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { SharedLocks } from '../../application/ports/file/shared-locks.js';
import { TextFormats } from '../../application/ports/file/text-formats.js';
import { DiskInodeScan } from '../../infrastructure/file/disk-inode-scan.js';
import { GuardedFileSystem, platformLocator } from '../../infrastructure/file/guarded-file-system.js';
import { GuardedFileWalker } from '../../infrastructure/file/guarded-file-walker.js';
import { GuardedContentSearch } from '../../infrastructure/file/search/guarded-content-search.js';
import { packagedRipgrep } from '../../infrastructure/file/search/ripgrep-search.js';
import { LazyTextFormats } from '../../infrastructure/file/text/lazy-text-formats.js';
import { UnsharedLocks } from '../../infrastructure/file/write/unshared-locks.js';

/** The way to the disk. Everything is made at the first call that needs it. */
export function bindFiles(
  bind: ContainerModuleLoadOptions['bind'],
  stateFolder: string,
  home: string | undefined,
  sandbox: CommandSandbox,
): void {
  bind(SharedLocks)
    .toResolvedValue(() => new UnsharedLocks())
    .inSingletonScope();
  bind(SafeFileSystem)
    .toResolvedValue((locks) => new GuardedFileSystem(stateFolder, platformLocator(), locks), [SharedLocks])
    .inSingletonScope();
  bind(FileWalker).to(GuardedFileWalker).inSingletonScope();
  bind(ContentSearch)
    .toResolvedValue(
      (files, walker) =>
        new GuardedContentSearch(
          files,
          walker,
          packagedRipgrep({ sandbox, home: join(stateFolder, 'search') }),
        ),
      [SafeFileSystem, FileWalker],
    )
    .inSingletonScope();
  bind(TextFormats).to(LazyTextFormats).inSingletonScope();
  bind(InodeScan).toConstantValue(new DiskInodeScan(home ?? homedir()));
}
