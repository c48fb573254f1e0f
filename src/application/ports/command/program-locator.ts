import type { ServiceIdentifier } from 'inversify';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';

export interface LocatedProgram {
  /** Absolute, as it was found: some programs act on the name they are called by. */
  readonly path: string;
  /** Where the binary really lies. */
  readonly realPath: string;
  /** In a folder of the system or a toolchain, where the caller can write neither the name nor the file. */
  readonly trusted: boolean;
}

/** Finds programs the way a shell would, on the PATH that the policy gives to a tool's programs. */
export interface ProgramLocator {
  /** Must have settled before the first look-up. */
  load(): Promise<void>;
  /** undefined: there is no such program. `directory` is absolute; a name with a slash is a path from there. */
  locate(
    program: string,
    directory: string,
    tool: string,
    policy: PermissionPolicy,
  ): LocatedProgram | undefined;
  /** Every file that is one of these programs, by any name, so that it can be covered. */
  filesOf(names: readonly string[], tool: string, policy: PermissionPolicy): readonly string[];
}

export const ProgramLocator: ServiceIdentifier<ProgramLocator> = Symbol.for('castellan.ProgramLocator');
