import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { Logger } from '../application/ports/logger.js';
import { PromptSource } from '../application/ports/prompt-source.js';
import { SafeFileSystem } from '../application/ports/safe-file-system.js';
import { isInside } from '../domain/permission/normal-path.js';
import { FilePromptSource } from '../infrastructure/prompt/file-prompt-source.js';
import type { Configuration } from './configuration.js';

/** The prompts we ship, and those of the project's own folder before them. */
export function bindPrompts(bind: ContainerModuleLoadOptions['bind'], configuration: Configuration): void {
  const { settings, workspace } = configuration;
  bind(PromptSource)
    .toResolvedValue(
      (files, logger) => {
        const own = settings.prompts.dir === undefined ? [] : [ownFolder(workspace, settings.prompts.dir)];
        const shipped = shippedFolder();
        return new FilePromptSource([...new Set([...shipped, ...own])], files, logger, shipped);
      },
      [SafeFileSystem, Logger],
    )
    .inSingletonScope();
}

/** Only a trusted file names a folder outside, and may reach it by links; inside, a link could be anybody's. */
function ownFolder(workspace: string, dir: string): string {
  const folder = resolve(workspace, dir);
  return isInside(folder, workspace) || !existsSync(folder) ? folder : realpathSync(folder);
}

/** Two folders up, from source as from the built command and library. */
function shippedFolder(): readonly string[] {
  // The command is built as CommonJS, which has no import.meta.
  const here = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  const folder = resolve(here, '../../config/prompts');
  return existsSync(folder) ? [realpathSync(folder)] : [];
}
