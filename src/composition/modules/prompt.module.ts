import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { GuardedAccess } from '../../application/file/guarded-access.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { PromptSource } from '../../application/ports/prompt/prompt-source.js';
import { Logger } from '../../application/ports/system/logger.js';
import { ExpandTemplate } from '../../application/prompt/expand-template.js';
import { PromptCatalogue } from '../../application/prompt/prompt-catalogue.js';
import { PromptReferences } from '../../application/prompt/prompt-references.js';
import { PromptTools } from '../../application/prompt/prompt-tools.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import { FilePromptSource } from '../../infrastructure/prompt/file-prompt-source.js';
import { bindStage } from '../server/lifecycle.js';
import { shippedPrompts } from '../shipped-prompts.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** The prompts we ship, and those of the project's own folder before them. */
export function promptModule(bind: Bind, { configuration }: ServerParts): void {
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
  bindSelves(bind, ExpandTemplate, PromptCatalogue, PromptReferences, PromptTools);
  bindStage(bind, 'prompts', { end: (server) => server.get(PromptSource).close() });
}

/** Only a trusted file names a folder outside, and may reach it by links; inside, a link could be anybody's. */
function ownFolder(workspace: string, dir: string): string {
  const folder = resolve(workspace, dir);
  return isInside(folder, workspace) || !existsSync(folder) ? folder : realpathSync(folder);
}
