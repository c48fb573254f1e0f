import type { ServiceIdentifier } from 'inversify';
import type { HttpSettings } from '../../infrastructure/config/settings.js';

/** What the HTTP server is made from, kept until somebody asks for one. */
export interface HttpSetup {
  readonly settings: HttpSettings;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const HttpSetup: ServiceIdentifier<HttpSetup> = Symbol.for('castellan.HttpSetup');
