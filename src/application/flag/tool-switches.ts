import type { ServiceIdentifier } from 'inversify';

/** Tools that are there only while a flag is on, each to its flag; `enabled_by` in the settings. */
export type ToolSwitches = Readonly<Record<string, string>>;

export const ToolSwitches: ServiceIdentifier<ToolSwitches> = Symbol.for('castellan.ToolSwitches');
