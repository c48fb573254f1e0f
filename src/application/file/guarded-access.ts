import { inject, injectable } from 'inversify';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { DeniedObjects } from '../ports/file/denied-objects.js';
import type { FileAccess } from '../ports/file/safe-file-system.js';
import { HardLinkGuard } from './hard-link-guard.js';

/** Whose access is wanted. */
export interface AccessRequest extends Omit<FileAccess, 'isDeniedInode' | 'isDeniedObject'> {
  readonly policy: PermissionPolicy;
  /** Whether a file may be read that has this name too. */
  mayReadName(path: string): boolean;
  /** Whether something may be read that lay here when a rule denied the place. */
  mayReadFrom(path: string): boolean;
}

/**
 * The one way to an access to files of the workspace, whoever reads them: a path that may be read is refused if it
 * is another name of a file that may not be, or was moved from a place that may not be read.
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
