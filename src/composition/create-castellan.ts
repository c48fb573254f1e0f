import { takeDeclaredTools } from '../presentation/tools/declared-tools.js';
import { Castellan } from './castellan.js';
import type { CastellanOptions } from './castellan-options.js';
import { createContainer } from './container.js';

/** A Castellan with a container of its own. Throws when its configuration is wrong. */
export async function createCastellan(options: CastellanOptions = {}): Promise<Castellan> {
  if (process.env.MCP_INCLUDE_EXAMPLE_TOOLS === 'true')
    await import('../presentation/tools/example/example-tools.js');
  const declared = Object.values(takeDeclaredTools());
  const castellan = Castellan.open(
    createContainer({ ...options, tools: [...(options.tools ?? []), ...declared] }),
  );
  await castellan.ready;
  return castellan;
}
