import type { ServiceIdentifier } from 'inversify';
import type { ArgumentValues } from '../call/runnable-tool.js';

/** Arguments that the settings supply if a caller omits them, by tool. The policy sees them. */
export type ArgumentDefaults = Readonly<Record<string, ArgumentValues>>;

export const ArgumentDefaults: ServiceIdentifier<ArgumentDefaults> = Symbol.for('castellan.ArgumentDefaults');
