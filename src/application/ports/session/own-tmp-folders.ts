import type { ServiceIdentifier } from 'inversify';
import type { Session } from '../../../domain/session/session.js';

/** The folders of the host that commands of sessions have as /tmp. */
export interface OwnTmpFolders {
  /** Canonical; made where it is missing, and gone with the session. undefined: nothing here gives commands one. */
  of(session: Session): Promise<string | undefined>;
}

export const OwnTmpFolders: ServiceIdentifier<OwnTmpFolders> = Symbol.for('castellan.OwnTmpFolders');
