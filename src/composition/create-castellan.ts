import { takeDeclaredTools } from '../presentation/tools/declared-tools.js';
import { Castellan } from './castellan.js';
import type { CastellanOptions } from './castellan-options.js';
import { type Configuration, readConfiguration } from './configuration.js';
import { createContainer } from './container.js';

/** A Castellan with a container of its own. Throws when its configuration is wrong. */
export function createCastellan(options: CastellanOptions = {}): Promise<Castellan> {
  return startCastellan(options, () => undefined);
}

/** For an application: `prepare` sees the configuration before anything of the server is built. */
export async function startCastellan(
  options: CastellanOptions,
  prepare: (configuration: Configuration) => void,
): Promise<Castellan> {
  const complete = await withDeclaredTools(options);
  const configuration = await readConfiguration(complete);
  prepare(configuration);
  const castellan = Castellan.open(createContainer(configuration, complete));
  await castellan.begin();
  return castellan;
}

/** With the tools of modules that registered by being imported, the models to copy where they are asked for. */
export async function withDeclaredTools(options: CastellanOptions): Promise<CastellanOptions> {
  const environment = options.environment ?? process.env;
  if (environment.MCP_INCLUDE_EXAMPLE_TOOLS === 'true')
    await import('../presentation/tools/example/example-tools.js');
  return { ...options, tools: [...(options.tools ?? []), ...Object.values(takeDeclaredTools())] };
}
