import { inject, injectable } from 'inversify';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { DeniedObjects } from '../ports/file/denied-objects.js';
import type { FileAccess } from '../ports/file/safe-file-system.js';
import { HardLinkGuard } from './hard-link-guard.js';

/** Whose access is requested. */
export interface AccessRequest extends Omit<FileAccess, 'isDeniedInode' | 'isDeniedObject'> {
  readonly policy: PermissionPolicy;
  /** Returns true if a file that also has this name may be read. */
  mayReadName(path: string): boolean;
  /** Returns true if a file may be read that was here when a rule denied the path. */
  mayReadFrom(path: string): boolean;
}

/**
 * Creates every access to files of the workspace. A readable path is refused if it is another name of a
 * hidden file, or was moved from a denied path.
 */
@injectable()
export class GuardedAccess {
  constructor(
    @inject(HardLinkGuard) private readonly hardLinks: HardLinkGuard,
    @inject(DeniedObjects) private readonly places: DeniedObjects,
  ) {}

  of({ policy, mayReadName, mayReadFrom, ...access }: AccessRequest): FileAccess {
    return {
      ...access,
      isDeniedInode: (inode) => this.hardLinks.has(inode, mayReadName, policy),
      ...this.#moved(mayReadFrom),
    };
  }

  #moved(mayReadFrom: (path: string) => boolean): Pick<FileAccess, 'isDeniedObject'> {
    if (this.places.isEmpty) return {};
    return {
      isDeniedObject: (object) => {
        const place = this.places.find(object);
        return place !== undefined && !mayReadFrom(place);
      },
    };
  }
}
