import { relative } from 'node:path';
import type { Container } from 'inversify';
import { FlagStore } from '../../application/ports/flag/flag-store.js';
import { OwnWorkspaceFlagStore } from '../../infrastructure/flag/own-workspace-flag-store.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import type { Configuration } from '../configuration/configuration.js';

/** A project that has a name gives it to one workspace: in Redis, each folder of a principal has flags of its own. */
export function withOwnProject(
  options: CastellanOptions,
  { settings, workspace }: Configuration,
  root: string,
): CastellanOptions {
  const project = options.flags?.project ?? settings.project.name;
  if (project === undefined) return options;
  return { ...options, flags: { ...options.flags, project: `${project}:${relative(root, workspace)}` } };
}

export function keepGlobalFlags(container: Container): Container {
  container.onActivation(FlagStore, (_context, store) => new OwnWorkspaceFlagStore(store));
  return container;
}
