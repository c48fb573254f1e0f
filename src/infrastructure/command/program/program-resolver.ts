import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../../domain/permission/path/normal-path.js';
import { holdsSystemPrograms } from '../../../domain/permission/path/system-folders.js';

export interface ResolvedProgram {
  /** Absolute, as found: `busybox` and others act on the name they were called by. */
  readonly path: string;
  /** Where the binary really lies. */
  readonly realPath: string;
  /** It lies in a system or toolchain folder, and the caller can write neither the name nor the file. */
  readonly trusted: boolean;
}

/** Finds programs the way a shell would, on the policy's PATH and never on the server's. */
export class ProgramResolver {
  readonly #path: readonly string[];

  constructor(
    pathVariable: string,
    private readonly toolchains: readonly string[],
    private readonly writable: readonly string[],
  ) {
    // An empty or relative entry means the current folder, which belongs to the caller.
    this.#path = pathVariable.split(':').filter((entry) => isAbsolute(entry));
  }

  /** undefined: no such program. A name with a slash is a path, relative to `cwd`. */
  resolve(name: string, cwd: string): ResolvedProgram | undefined {
    if (name === '' || name.includes('\0')) return undefined;
    if (name.includes('/')) return this.#describe(isAbsolute(name) ? name : join(cwd, name));
    for (const folder of this.#path) {
      const found = this.#describe(join(folder, name));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #describe(path: string): ResolvedProgram | undefined {
    if (!isExecutableFile(path)) return undefined;
    const realPath = realpathSync(path);
    return { path, realPath, trusted: this.#isTrusted(path) && this.#isTrusted(realPath) };
  }

  #isTrusted(path: string): boolean {
    const known = holdsSystemPrograms(path) || this.toolchains.some((folder) => isInside(path, folder));
    return known && !this.writable.some((folder) => isInside(path, folder));
  }
}

function isExecutableFile(path: string): boolean {
  try {
    // Without an exception: a line of thousands of names that nobody has asks for each in every folder.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be reached: the next folder may have it.
    return false;
  }
}
