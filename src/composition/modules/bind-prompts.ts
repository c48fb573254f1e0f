import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import { GuardedAccess } from '../../application/file/guarded-access.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { PromptSource } from '../../application/ports/prompt/prompt-source.js';
import { Logger } from '../../application/ports/system/logger.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import { FilePromptSource } from '../../infrastructure/prompt/file-prompt-source.js';
import type { Configuration } from '../configuration/configuration.js';
import { shippedPrompts } from '../shipped-prompts.js';

/** The prompts we ship, and those of the project's own folder before them. */
export function bindPrompts(bind: ContainerModuleLoadOptions['bind'], configuration: Configuration): void {
  const { settings, workspace } = configuration;
  bind(PromptSource)
    .toResolvedValue(
      (files, accesses, policies, logger) => {
        const own = settings.prompts.dir === undefined ? [] : [ownFolder(workspace, settings.prompts.dir)];
        const shipped = shippedPrompts();
        return new FilePromptSource(
          [...new Set([...shipped, ...own])],
          { files, accesses, policies },
          logger,
          shipped,
        );
      },
      [SafeFileSystem, GuardedAccess, PolicySource, Logger],
    )
    .inSingletonScope();
}

/** Only a trusted file names a folder outside, and may reach it by links; inside, a link could be anybody's. */
function ownFolder(workspace: string, dir: string): string {
  const folder = resolve(workspace, dir);
  return isInside(folder, workspace) || !existsSync(folder) ? folder : realpathSync(folder);
}
