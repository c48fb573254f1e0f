import { homedir } from 'node:os';
import { join } from 'node:path';
import { DescribeFileHandler } from '../../application/file/describe-file.js';
import { EditFileHandler } from '../../application/file/edit-file.js';
import { FileCalls } from '../../application/file/file-call.js';
import { FindEntriesHandler } from '../../application/file/find-entries.js';
import { GuardedAccess } from '../../application/file/guarded-access.js';
import { HardLinkGuard } from '../../application/file/hard-link-guard.js';
import { ReachedPaths } from '../../application/file/reached-paths.js';
import { ReadBudget } from '../../application/file/read-budget.js';
import { ReadFileHandler } from '../../application/file/read-file.js';
import { ReadFilesHandler } from '../../application/file/read-files.js';
import { SearchContentHandler } from '../../application/file/search-content.js';
import { WriteFileHandler } from '../../application/file/write-file.js';
import { ContentSearch } from '../../application/ports/file/content-search.js';
import { FileWalker } from '../../application/ports/file/file-walker.js';
import { InodeScan } from '../../application/ports/file/inode-scan.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { SharedLocks } from '../../application/ports/file/shared-locks.js';
import { TextFormats } from '../../application/ports/file/text-formats.js';
import { Logger } from '../../application/ports/system/logger.js';
import { PlatformSandbox } from '../../infrastructure/command/runner/local-command-runner.js';
import { DiskInodeScan } from '../../infrastructure/file/disk-inode-scan.js';
import { GuardedFileSystem, platformLocator } from '../../infrastructure/file/guarded-file-system.js';
import { GuardedFileWalker } from '../../infrastructure/file/guarded-file-walker.js';
import { GuardedContentSearch } from '../../infrastructure/file/search/guarded-content-search.js';
import { packagedRipgrep } from '../../infrastructure/file/search/ripgrep-search.js';
import { LazyTextFormats } from '../../infrastructure/file/text/lazy-text-formats.js';
import { UnsharedLocks } from '../../infrastructure/file/write/unshared-locks.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** The way to the disk. Everything is made at the first call that needs it. */
export function fileModule(bind: Bind, { configuration, options, environment }: ServerParts): void {
  const { stateFolder, live } = configuration;
  bind(ReadBudget).toConstantValue({
    get bytes() {
      return options.readBytes ?? live.current.files.readBytes;
    },
    get tokens() {
      return options.answerTokens ?? live.current.answerTokens;
    },
  });
  bind(SharedLocks)
    .toResolvedValue(() => new UnsharedLocks())
    .inSingletonScope();
  bind(SafeFileSystem)
    .toResolvedValue((locks) => new GuardedFileSystem(stateFolder, platformLocator(), locks), [SharedLocks])
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
      [SafeFileSystem, FileWalker, PlatformSandbox],
    )
    .inSingletonScope();
  bind(TextFormats).to(LazyTextFormats).inSingletonScope();
  bind(InodeScan).toConstantValue(new DiskInodeScan(environment.HOME ?? homedir()));
  bindSelves(bind, DescribeFileHandler, EditFileHandler, FileCalls, FindEntriesHandler, GuardedAccess);
  bindSelves(bind, HardLinkGuard, ReadFileHandler, ReachedPaths, ReadFilesHandler, SearchContentHandler);
  bindSelves(bind, WriteFileHandler);
  bindRecovery(bind);
}

function bindRecovery(bind: Bind): void {
  let recovery: Promise<void> = Promise.resolve();
  bindStage(bind, 'files', {
    // Nobody waits for it: only what dead processes left is touched.
    begin: (server) => {
      recovery = recoverFiles(server.get(SafeFileSystem), server.get(Logger));
    },
    end: () => recovery,
  });
}

async function recoverFiles(files: SafeFileSystem, logger: Logger): Promise<void> {
  await Promise.resolve();
  try {
    const cleaned = await files.recover();
    if (cleaned > 0) logger.info('Removed unfinished writes of a killed process', { cleaned });
  } catch (error) {
    logger.warn('Leftovers of an earlier process could not be removed', { error });
  }
}
