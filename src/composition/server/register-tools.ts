import type { Container } from 'inversify';
import type { RunnableTool } from '../../application/call/runnable-tool.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { toolFromDefinition } from '../../presentation/docs/tool-from-definition.js';
import { ProtocolOptions } from '../../presentation/mcp/surface/protocol-options.js';
import { Descriptions } from '../modules/tools.module.js';

/** Turns the catalogue into runnable tools. Throws on the first definition that is wrong: the start must fail. */
export function registerTools(container: Container): void {
  const registry = container.get(ToolRegistry);
  const { definitions } = container.get(ToolCatalogue);
  const descriptions = container.get(Descriptions);
  const { answers } = container.get(ProtocolOptions);
  for (const definition of definitions) {
    checkNeeds(container, definition);
    const tool = toolFromDefinition(definition, descriptions, answers);
    if (!tool.success) throw new Error(tool.error);
    const needs = needsOf(container, definition);
    const runnable: RunnableTool = {
      tool: tool.value,
      budget: definition.budget ?? {},
      show: definition.show,
      sessionBound: definition.sessionBound,
      permissions: (args) => definition.permissions?.(args, needs()) ?? [],
      run: (args, context) => definition.run(args, needs(), context),
    };
    const registered = registry.register(runnable);
    if (!registered.success) throw new Error(registered.error);
  }
}

function checkNeeds(container: Container, definition: ToolDefinition): void {
  for (const [name, token] of Object.entries(definition.needs)) {
    if (!container.isBound(token)) {
      throw new Error(
        `The tool ${definition.name} needs ${String(token)} as "${name}", and nothing binds it. ` +
          'Bind it in configure(container), or leave the tool out.',
      );
    }
  }
}

/** The needs of a tool are made at its first call: a start must not pay for what nobody uses. */
function needsOf(container: Container, definition: ToolDefinition): () => Readonly<Record<string, unknown>> {
  let needs: Readonly<Record<string, unknown>> | undefined;
  return () => {
    needs ??= Object.fromEntries(
      Object.entries(definition.needs).map(([name, token]) => [name, container.get(token)]),
    );
    return needs;
  };
}
