import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { Logger } from '../application/ports/logger.js';
import { PromptSource } from '../application/ports/prompt-source.js';
import { FilePromptSource } from '../infrastructure/prompt/file-prompt-source.js';
import type { Configuration } from './configuration.js';

/** The prompts we ship, and those of the project's own folder before them. */
export function bindPrompts(bind: ContainerModuleLoadOptions['bind'], configuration: Configuration): void {
  const { settings, workspace } = configuration;
  bind(PromptSource)
    .toResolvedValue(
      (logger) => {
        const own = settings.prompts.dir === undefined ? [] : [resolve(workspace, settings.prompts.dir)];
        return new FilePromptSource([...new Set([...shippedFolder(), ...own])], logger);
      },
      [Logger],
    )
    .inSingletonScope();
}

/** Beside dist in the package, one folder further up in a chunk or from source. */
function shippedFolder(): readonly string[] {
  const found = ['../config/prompts', '../../config/prompts']
    .map((folder) => resolve(import.meta.dirname, folder))
    .find((folder) => existsSync(folder));
  return found === undefined ? [] : [found];
}
