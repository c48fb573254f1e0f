import { mkdirSync } from 'node:fs';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { GenericLocator } from '../../src/infrastructure/file/locate/generic-locator.js';
import { LinuxLocator } from '../../src/infrastructure/file/locate/linux-locator.js';
import type { PathLocator } from '../../src/infrastructure/file/locate/path-locator.js';
import { InMemoryFileSystem } from '../support/memory-files/in-memory-file-system.js';
import { TemporaryDisk } from '../support/temporary-disk.js';
import { type FileSystemUnderTest, safeFileSystemContract } from './safe-file-system.contract.js';

async function onDisk(locator: PathLocator): Promise<FileSystemUnderTest> {
  const disk = new TemporaryDisk();
  return {
    files: new GuardedFileSystem(disk.state, locator),
    root: disk.root,
    outside: disk.outside,
    seedFile: async (path, content) => disk.file(path, content),
    seedFolder: async (path) => {
      mkdirSync(path, { recursive: true });
    },
    seedLink: async (path, target) => disk.link(path, target),
    dispose: async () => disk.dispose(),
  };
}

async function inMemory(): Promise<FileSystemUnderTest> {
  const files = new InMemoryFileSystem();
  files.seed('/workspace', 'directory-only');
  files.seed('/outside', 'directory-only');
  return {
    files,
    root: '/workspace',
    outside: '/outside',
    seedFile: async (path, content) => files.seed(path, content),
    seedFolder: async (path) => files.seed(path, 'directory-only'),
    seedLink: async (path, link) => files.seed(path, { link }),
    dispose: async () => undefined,
  };
}

safeFileSystemContract('by descriptor on Linux', () => onDisk(new LinuxLocator()));
safeFileSystemContract('by real path elsewhere', () => onDisk(new GenericLocator('generic')));
safeFileSystemContract('in memory', inMemory);
