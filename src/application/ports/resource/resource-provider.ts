import type { ServiceIdentifier } from 'inversify';
import type { ResourceContents, ResourceEntry, ResourceTemplate } from '../../../domain/resource/resource.js';
import type { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';

/** A family of resources with URIs of its own. Each family has its own binding. */
export interface ResourceProvider {
  /**
   * The tool that shows the same: callers that may not use it, or not without being asked, see none of them.
   */
  readonly tool?: string;
  list(session: Session): Promise<readonly ResourceEntry[]>;
  /** Adds details to an entry that are costly to compute; called only for entries that are shown. */
  describe?(entry: ResourceEntry, session: Session): Promise<ResourceEntry>;
  /** Starts following changes, if that is not done from the start. */
  follow?(): Promise<void>;
  templates(): readonly ResourceTemplate[];
  /** undefined: the URI is not of this family. A failure says why one of its own cannot be read. */
  read(uri: string, session: Session): Promise<Result<ResourceContents> | undefined>;
  /** Values for a variable of a template that begin with the typed text. */
  complete(template: string, variable: string, typed: string, session: Session): Promise<readonly string[]>;
}

export const ResourceProvider: ServiceIdentifier<ResourceProvider> = Symbol.for('castellan.ResourceProvider');
