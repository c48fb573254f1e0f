import type { Container } from 'inversify';
import type { RunnableTool } from '../../application/call/runnable-tool.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { Logger } from '../../application/ports/system/logger.js';
import { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolCatalogue } from '../../application/tool/tool-catalogue.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { ToolDefinitions } from '../../application/tool/tool-definitions.js';
import { Result } from '../../domain/result.js';
import type { Tool } from '../../domain/tool/tool.js';
import { undescribedInRawSchema } from '../../presentation/docs/tool-conventions.js';
import { toolFromDefinition } from '../../presentation/docs/tool-from-definition.js';
import { ProtocolOptions } from '../../presentation/mcp/surface/protocol-options.js';
import { Descriptions } from '../modules/tools.module.js';

/** Turns definitions into tools of the registry, at the start and while the server runs. */
export class ToolRegistrar {
  constructor(private readonly container: Container) {}

  /** Everything in the catalogue. Throws on the first definition that is wrong: the start must fail. */
  registerAll(): void {
    for (const definition of this.container.get(ToolCatalogue).definitions) {
      const registered = this.register(definition);
      if (!registered.success) throw new Error(registered.error);
    }
    // Whoever registers a tool later, here or through the port: the policy hears of it before clients do.
    const registry = this.container.get(ToolRegistry);
    const policies = this.container.get(PolicySource);
    registry.onChange(() => policies.announce?.(registry.list().map(({ tool }) => tool.name)));
  }

  register(definition: ToolDefinition): Result<Tool> {
    const runnable = this.#runnable(definition);
    return runnable.success ? this.#add(runnable.value, definition) : runnable;
  }

  /** Registers the definition in the place of the tool with its name. Whatever is wrong, that one stays. */
  replace(definition: ToolDefinition): Result<Tool> {
    const runnable = this.#runnable(definition);
    if (!runnable.success) return runnable;
    const registry = this.container.get(ToolRegistry);
    const before = registry.get(definition.name);
    registry.unregister(definition.name);
    const added = this.#add(runnable.value, definition);
    if (!added.success && before !== undefined) registry.register(before);
    return added;
  }

  /** By any spelling of the name. Returns false if there is no such tool. */
  unregister(name: string): boolean {
    return this.container.get(ToolRegistry).unregister(name);
  }

  #add(runnable: RunnableTool, definition: ToolDefinition): Result<Tool> {
    const registered = this.container.get(ToolRegistry).register(runnable);
    if (!registered.success) return registered;
    this.container.get(ToolDefinitions).set(runnable.tool, definition);
    const warning = undescribedInRawSchema(definition);
    if (warning !== undefined) this.container.get(Logger).warn(warning);
    return Result.ok(runnable.tool);
  }

  #runnable(definition: ToolDefinition): Result<RunnableTool> {
    const unbound = this.#unboundNeed(definition);
    if (unbound !== undefined) return Result.failure(unbound, 'InvalidTool');
    const { answers } = this.container.get(ProtocolOptions);
    const tool = toolFromDefinition(definition, this.container.get(Descriptions), answers);
    if (!tool.success) return tool;
    const needs = this.#needsOf(definition);
    return Result.ok({
      tool: tool.value,
      budget: definition.budget ?? {},
      show: definition.show,
      sessionBound: definition.sessionBound,
      underPolicy: definition.underPolicy,
      permissions: (args) => definition.permissions?.(args, needs()) ?? [],
      run: (args, context) => definition.run(args, needs(), context),
    });
  }

  #unboundNeed(definition: ToolDefinition): string | undefined {
    for (const [name, token] of Object.entries(definition.needs)) {
      if (this.container.isBound(token)) continue;
      return (
        `The tool ${definition.name} needs ${String(token)} as "${name}", and nothing binds it. ` +
        'Bind it in configure(container), or leave the tool out.'
      );
    }
    return undefined;
  }

  /** The needs of a tool are made at its first call: a start must not pay for what nobody uses. */
  #needsOf(definition: ToolDefinition): () => Readonly<Record<string, unknown>> {
    let needs: Readonly<Record<string, unknown>> | undefined;
    return () => {
      needs ??= Object.fromEntries(
        Object.entries(definition.needs).map(([name, token]) => [name, this.container.get(token)]),
      );
      return needs;
    };
  }
}
