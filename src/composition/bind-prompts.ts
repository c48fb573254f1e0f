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

/** Two folders up, from source as from the built command and library. */
function shippedFolder(): readonly string[] {
  // The command is built as CommonJS, which has no import.meta.
  const here = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  const folder = resolve(here, '../../config/prompts');
  return existsSync(folder) ? [folder] : [];
}
