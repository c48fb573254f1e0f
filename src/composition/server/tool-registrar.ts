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
import { Descriptions } from '../modules/tool.module.js';

/** Turns definitions into tools of the registry, at the start and while the server runs. */
export class ToolRegistrar {
  /** The tools by name as they were when the server started. */
  #atStart: ReadonlyMap<string, RunnableTool> = new Map();
  #unfollow: (() => void) | undefined;

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
    this.#atStart = this.#current();
  }

  /**
   * For the server of another folder with the same tools at the start: takes over what the leader has added,
   * exchanged and removed since, and whatever it will, until stopFollowing().
   */
  follow(leader: ToolRegistrar): void {
    let known = leader.#atStart;
    const takeOver = () => {
      const before = known;
      known = leader.#current();
      for (const name of new Set([...before.keys(), ...known.keys()])) {
        const now = known.get(name);
        if (now !== before.get(name)) this.#takeOver(name, now, leader);
      }
    };
    this.#unfollow = leader.container.get(ToolRegistry).onChange(takeOver);
    takeOver();
  }

  stopFollowing(): void {
    this.#unfollow?.();
  }

  /** A tool with a definition gets what it needs from this container. undefined: the leader has removed it. */
  #takeOver(name: string, theirs: RunnableTool | undefined, leader: ToolRegistrar): void {
    this.unregister(name);
    if (theirs === undefined) return;
    const definition = leader.container.get(ToolDefinitions).of(theirs.tool);
    const taken =
      definition === undefined
        ? this.container.get(ToolRegistry).register({ ...theirs, tool: theirs.tool.copy() })
        : this.register(definition);
    if (!taken.success)
      this.container
        .get(Logger)
        .warn(`A principal's workspace does not get the tool ${name}: ${taken.error}`);
  }

  #current(): ReadonlyMap<string, RunnableTool> {
    const tools = this.container.get(ToolRegistry).list();
    return new Map(tools.map((tool) => [tool.tool.name, tool]));
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
    // First, for those who are told of the tool.
    this.container.get(ToolDefinitions).set(runnable.tool, definition);
    const registered = this.container.get(ToolRegistry).register(runnable);
    if (!registered.success) return registered;
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
