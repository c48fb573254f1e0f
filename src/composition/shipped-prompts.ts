import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Two folders up, from source as from the built command and library: this file must stay where it is. */
export function shippedPrompts(): readonly string[] {
  // The command is built as CommonJS, which has no import.meta.
  const here = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  const folder = resolve(here, '../../config/prompts');
  return existsSync(folder) ? [realpathSync(folder)] : [];
}
