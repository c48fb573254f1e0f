import { isInside } from '../path/normal-path.js';
import type { ToolCapability } from './tool-capability.js';

const LONGEST = 300;

/** The last sentence of a hint: what a person would write to allow exactly this. It repeats the caller's own words only. */
export function suggestEntry(entry: string | undefined): string {
  if (entry === undefined || entry.length > LONGEST) return ' Tell the user which permission is missing.';
  return ` If the user wants it allowed, the policy needs \`${entry}\`, beside what these lists have.`;
}

export function pathEntry(tool: string, path: string, workspace: string): string {
  const shown = isInside(path, workspace) ? path.slice(workspace.length + 1) || '.' : path;
  return `tools: { ${tool}: { allowed_paths: [${literalPath(shown)}] } }`;
}

/** Wildcards of a name stand for themselves. */
function literalPath(path: string): string {
  return JSON.stringify(path.replace(/[*?[\]{}\\]/g, (character) => `\\${character}`));
}

/** The least that lets a call of the tool be decided on its arguments. */
export function toolEntry(name: string, [capability]: readonly ToolCapability[]): string {
  if (capability === undefined) return `tools: { ${name}: {} }`;
  const list = capability === 'command' ? 'allowed_commands: ["*"]' : 'allowed_paths: ["."]';
  return `tools: { ${name}: { ${list} } }`;
}
