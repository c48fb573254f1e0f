import { Castellan } from './castellan.js';
import type { CastellanOptions } from './castellan-options.js';
import { createContainer } from './container.js';

/** A Castellan with a container of its own. Throws when its configuration is wrong. */
export async function createCastellan(options: CastellanOptions = {}): Promise<Castellan> {
  return Castellan.open(createContainer(options));
}
