import type { ContainerModuleLoadOptions, ServiceIdentifier } from 'inversify';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';

export type Bind = ContainerModuleLoadOptions['bind'];

/** What the modules of one server are given. */
export interface ServerParts {
  readonly configuration: Configuration;
  readonly options: CastellanOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Binds all that a concept has: ports to adapters, handlers, resources, and what begins and ends with the server. */
export type ConceptModule = (bind: Bind, server: ServerParts) => void;

/** Classes that are made at the first call that needs them, and once. */
export function bindSelves(
  bind: Bind,
  ...classes: readonly (ServiceIdentifier & (new (...needs: never[]) => unknown))[]
): void {
  for (const made of classes) bind<unknown>(made).to(made).inSingletonScope();
}
