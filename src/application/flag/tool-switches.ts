import type { ServiceIdentifier } from 'inversify';

/** Tools that exist only while a flag is on, each with its flag; `enabled_by` in the settings. */
export type ToolSwitches = Readonly<Record<string, string>>;

export const ToolSwitches: ServiceIdentifier<ToolSwitches> = Symbol.for('castellan.ToolSwitches');
