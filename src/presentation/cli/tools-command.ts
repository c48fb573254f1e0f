import type { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import type { ToolNaming } from '../../application/tool/tool-naming.js';
import { type ExitCode, type Output, table } from './output.js';

/** `castellan tools`: lists the tools that this server would offer. */
export function toolsCommand(
  registry: ToolRegistry,
  naming: ToolNaming,
  options: { readonly json?: boolean; readonly category?: string },
  output: Output,
): ExitCode {
  const enabled = registry.listEnabled().map(({ tool }) => tool);
  const tools = ofCategory(enabled, options.category);
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
  output.out(table(['TOOL', 'CATEGORY', 'VERSION', 'CONSENT', 'TITLE'], rows, output));
  return 0;
}

/** All of them if no category is named. */
export function ofCategory<T extends { readonly category?: string | undefined }>(
  tools: readonly T[],
  category: string | undefined,
): readonly T[] {
  return category === undefined ? tools : tools.filter((tool) => tool.category === category);
}

/** Why a category is invalid; undefined if it is valid. */
export function categoryProblem(registry: ToolRegistry, category: string | undefined): string | undefined {
  const tools = registry.listEnabled().map(({ tool }) => tool);
  if (category === undefined || ofCategory(tools, category).length > 0) return undefined;
  const known = [...new Set(tools.flatMap((tool) => tool.category ?? []))].sort();
  return `No tool has the category ${category}. There are: ${known.join(', ')}.`;
}
