import type { ServiceIdentifier } from 'inversify';
import type { ResourceContents, ResourceEntry, ResourceTemplate } from '../../../domain/resource/resource.js';
import type { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';

/** A family of resources under URIs of its own. Bound once for each family. */
export interface ResourceProvider {
  /** The tool that shows the same: who may not call it, or not without being asked, sees none of them. */
  readonly tool?: string;
  list(session: Session): Promise<readonly ResourceEntry[]>;
  /** Adds to an entry what costs something to find out; asked only for those that are shown. */
  describe?(entry: ResourceEntry, session: Session): Promise<ResourceEntry>;
  /** Begins to follow changes where that is not done from the start. */
  follow?(): Promise<void>;
  templates(): readonly ResourceTemplate[];
  /** undefined: the URI is not of this family. A failure says why one of its own cannot be read. */
  read(uri: string, session: Session): Promise<Result<ResourceContents> | undefined>;
  /** Values for a variable of a template, given what has been typed so far. */
  complete(template: string, variable: string, typed: string, session: Session): Promise<readonly string[]>;
}

export const ResourceProvider: ServiceIdentifier<ResourceProvider> = Symbol.for('castellan.ResourceProvider');
