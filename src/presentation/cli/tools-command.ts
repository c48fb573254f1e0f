import type { ToolRegistry } from '../../application/ports/tool-registry.js';
import type { ToolNaming } from '../../application/tool/tool-naming.js';
import { columns, type ExitCode, type Output } from './output.js';

/** `castellan tools`: what this server would offer. */
export function toolsCommand(
  registry: ToolRegistry,
  naming: ToolNaming,
  options: { readonly json?: boolean },
  output: Output,
): ExitCode {
  const tools = registry.listEnabled().map(({ tool }) => tool);
  if (options.json) {
    const entries = tools.map((tool) => ({
      ...tool.toMcpFormat(naming.prefix),
      category: tool.category ?? null,
      version: tool.version,
      consent: tool.explicitAction ?? null,
    }));
    output.out(JSON.stringify({ tools: entries }, undefined, 2));
    return 0;
  }
  const rows = tools.map((tool) => [
    tool.name,
    tool.category ?? '-',
    tool.version,
    tool.explicitAction ?? '-',
    tool.title,
  ]);
  output.out(columns([['TOOL', 'CATEGORY', 'VERSION', 'CONSENT', 'TITLE'], ...rows]));
  return 0;
}
