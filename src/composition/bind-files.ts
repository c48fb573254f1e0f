import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { CommandSandbox } from '../application/ports/command-sandbox.js';
import { ContentSearch } from '../application/ports/content-search.js';
import { FileWalker } from '../application/ports/file-walker.js';
import { InodeScan } from '../application/ports/inode-scan.js';
import { SafeFileSystem } from '../application/ports/safe-file-system.js';
import { TextFormats } from '../application/ports/text-formats.js';
import { DiskInodeScan } from '../infrastructure/files/disk-inode-scan.js';
import { GuardedContentSearch } from '../infrastructure/files/guarded-content-search.js';
import { GuardedFileSystem } from '../infrastructure/files/guarded-file-system.js';
import { GuardedFileWalker } from '../infrastructure/files/guarded-file-walker.js';
import { LazyTextFormats } from '../infrastructure/files/lazy-text-formats.js';
import { packagedRipgrep } from '../infrastructure/files/ripgrep-search.js';

/** The way to the disk. Everything is made at the first call that needs it. */
export function bindFiles(
  bind: ContainerModuleLoadOptions['bind'],
  stateFolder: string,
  home: string | undefined,
): void {
  bind(SafeFileSystem)
    .toResolvedValue(() => new GuardedFileSystem(stateFolder))
    .inSingletonScope();
  bind(FileWalker).to(GuardedFileWalker).inSingletonScope();
  bind(ContentSearch)
    .toResolvedValue(
      (files, walker, sandbox) =>
        new GuardedContentSearch(
          files,
          walker,
          packagedRipgrep({ sandbox, home: join(stateFolder, 'search') }),
        ),
      [SafeFileSystem, FileWalker, CommandSandbox],
    )
    .inSingletonScope();
  bind(TextFormats).to(LazyTextFormats).inSingletonScope();
  bind(InodeScan).toConstantValue(new DiskInodeScan(home ?? homedir()));
}
