import { takeDeclaredTools } from '../presentation/tools/declared-tools.js';
import { Castellan } from './castellan.js';
import type { CastellanOptions } from './castellan-options.js';
import { readConfiguration } from './configuration.js';
import { createContainer } from './container.js';

/** A Castellan with a container of its own. Throws when its configuration is wrong. */
export async function createCastellan(options: CastellanOptions = {}): Promise<Castellan> {
  if (process.env.MCP_INCLUDE_EXAMPLE_TOOLS === 'true')
    await import('../presentation/tools/example/example-tools.js');
  const declared = Object.values(takeDeclaredTools());
  const complete = { ...options, tools: [...(options.tools ?? []), ...declared] };
  const configuration = await readConfiguration(complete);
  const castellan = Castellan.open(createContainer(configuration, complete));
  await castellan.begin();
  return castellan;
}
