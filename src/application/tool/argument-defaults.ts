import type { ServiceIdentifier } from 'inversify';
import type { ArgumentValues } from '../call/runnable-tool.js';

/** What the settings put where a caller leaves an argument out, by the tool's name. The policy sees it put in. */
export type ArgumentDefaults = Readonly<Record<string, ArgumentValues>>;

export const ArgumentDefaults: ServiceIdentifier<ArgumentDefaults> = Symbol.for('castellan.ArgumentDefaults');
