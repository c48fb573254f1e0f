import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputSpool, OutputStore } from '../../application/ports/output-store.js';
import type { FileAccess, SafeFileSystem } from '../../application/ports/safe-file-system.js';
import type { PathView } from '../../domain/permission/permission-policy.js';
import { Result } from '../../domain/result.js';
import { executionFailed, toolFailure } from '../../domain/tool/tool-error.js';

/** Collects in the server's own folder, where no command reaches, and copies to the target when it is whole. */
export class SpooledOutputStore implements OutputStore {
  constructor(
    private readonly stateFolder: string,
    private readonly files: () => Promise<SafeFileSystem>,
  ) {}

  async open(target: string, paths: PathView, signal: AbortSignal): Promise<OutputSpool> {
    const folder = join(this.stateFolder, 'output');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // By its real name, which is what the guard is asked about.
    const path = join(await realpath(folder), randomUUID());
    const file = await open(path, 'wx', 0o644);
    let bytes = 0;
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await file.close();
      isOpen = false;
    };
    const access: FileAccess = {
      guard: {
        mayRead: (candidate) => candidate === path || paths.canRead(candidate),
        mayWrite: (candidate) => paths.canWrite(candidate),
      },
      signal,
    };
    return {
      write: async (chunk) => {
        await file.writeFile(chunk);
        bytes += chunk.length;
      },
      keep: async () => {
        await close();
        const copied = await (await this.files()).copy(path, target, { overwrite: true }, access);
        if (copied.success) return Result.ok(bytes);
        return toolFailure(
          executionFailed(`The output was not saved: ${copied.error.message} The command itself has run.`),
        );
      },
      discard: async () => {
        await close();
        await rm(path, { force: true });
      },
    };
  }
}
