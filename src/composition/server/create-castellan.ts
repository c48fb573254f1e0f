import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { getDeclaredTools, returnDeclaredTools } from '../../presentation/tools/declared-tools.js';
import type { CastellanOptions } from '../configuration/castellan-options.js';
import { type Configuration, readConfiguration } from '../configuration/configuration.js';
import { createContainer } from '../container.js';
import { sharedModule } from '../modules/shared-module.js';
import { Castellan } from './castellan.js';

/** A Castellan with a container of its own. Throws when its configuration is wrong. */
export function createCastellan(options: CastellanOptions = {}): Promise<Castellan> {
  return startCastellan(options, () => undefined);
}

/** For an application: `prepare` sees the configuration before anything of the server is built. */
export async function startCastellan(
  options: CastellanOptions,
  prepare: (configuration: Configuration) => void,
): Promise<Castellan> {
  const declared = await takeTools(options);
  const complete = { ...options, tools: [...(options.tools ?? []), ...declared] };
  try {
    const configuration = await readConfiguration(complete);
    prepare(configuration);
    const shared = await sharedModule(configuration, complete);
    const castellan = Castellan.open(createContainer(configuration, complete, shared));
    await castellan.begin();
    return castellan;
  } catch (error) {
    // A module is loaded once: it would not declare its tools again for a second attempt.
    returnDeclaredTools(declared);
    throw error;
  }
}

/** With the tools of modules that registered by being imported. */
export async function withDeclaredTools(options: CastellanOptions): Promise<CastellanOptions> {
  return { ...options, tools: [...(options.tools ?? []), ...(await takeTools(options))] };
}

/** What was declared, the models to copy included where they are asked for. */
async function takeTools({
  environment = process.env,
}: CastellanOptions): Promise<readonly ToolDefinition[]> {
  if (environment.MCP_INCLUDE_EXAMPLE_TOOLS === 'true')
    await import('../../presentation/tools/example/example-tools.js');
  return Object.values(getDeclaredTools());
}
