import type { ServiceIdentifier } from 'inversify';
import type { HttpSettings } from '../../infrastructure/config/settings.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';

/** What the HTTP server is made from, kept until somebody asks for one. */
export interface HttpSetup {
  readonly settings: HttpSettings;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workspace: string;
  /** Whether each call and each refused request is a line in the log. */
  readonly logRequests: boolean;
  /** What another workspace is served with. */
  readonly options: CastellanOptions;
}

export const HttpSetup: ServiceIdentifier<HttpSetup> = Symbol.for('castellan.HttpSetup');
