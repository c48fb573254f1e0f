import type { ServiceIdentifier } from 'inversify';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';

export interface LocatedProgram {
  /** The absolute path as found: some programs act on the name by which they are called. */
  readonly path: string;
  /** The real path of the binary. */
  readonly realPath: string;
  /**
   * True if it is in a directory of the system or a toolchain, where the caller can write neither the name
   * nor the file.
   */
  readonly trusted: boolean;
}

/** Finds programs like a shell, on the PATH that the policy gives to a tool's programs. */
export interface ProgramLocator {
  /** Must have settled before the first look-up. */
  load(): Promise<void>;
  /** undefined: no such program. `directory` is absolute; a name with a slash is relative to it. */
  locate(
    program: string,
    directory: string,
    tool: string,
    policy: PermissionPolicy,
  ): LocatedProgram | undefined;
  /** Every file that is one of these programs, under any name, so that it can be masked. */
  filesOf(names: readonly string[], tool: string, policy: PermissionPolicy): readonly string[];
}

export const ProgramLocator: ServiceIdentifier<ProgramLocator> = Symbol.for('castellan.ProgramLocator');
