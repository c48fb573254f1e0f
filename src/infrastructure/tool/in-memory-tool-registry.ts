import { inject, injectable } from 'inversify';
import type { RunnableTool } from '../../application/call/runnable-tool.js';
import type { ToolRegistry } from '../../application/ports/tool/tool-registry.js';
import { ToolChoice } from '../../application/tool/tool-choice.js';
import { ToolNaming } from '../../application/tool/tool-naming.js';
import { Result } from '../../domain/result.js';
import { type NormalName, normaliseToolName } from '../../domain/tool/tool-name.js';

/** Every method runs to its end without awaiting, so callers that interleave never see half a change. */
@injectable()
export class InMemoryToolRegistry implements ToolRegistry {
  readonly #byName = new Map<string, RunnableTool>();
  /** Canonical, decorated and former names in normal form, each to its tool. */
  readonly #bySpelling = new Map<NormalName, RunnableTool>();
  readonly #listeners = new Set<() => void>();
  #sorted: readonly RunnableTool[] | undefined;

  constructor(
    @inject(ToolNaming) private readonly naming: ToolNaming,
    @inject(ToolChoice) private readonly choice: ToolChoice = new ToolChoice(),
  ) {}

  register(tool: RunnableTool): Result<RunnableTool> {
    const excluded = this.choice.refusal(tool.tool);
    if (excluded !== undefined) return Result.failure(excluded, 'ExcludedTool');
    const spellings = this.#spellingsOf(tool);
    for (const spelling of spellings) {
      const holder = this.#bySpelling.get(spelling);
      if (holder !== undefined) {
        return Result.failure(
          `The tool ${tool.tool.name} cannot be registered: ${holder.tool.name} already answers to that name ` +
            '(separators, case and prefix do not count). Unregister it first, or choose another name.',
          'DuplicateTool',
        );
      }
    }
    this.#byName.set(tool.tool.name, tool);
    for (const spelling of spellings) this.#bySpelling.set(spelling, tool);
    this.#changed();
    return Result.ok(tool);
  }

  unregister(name: string): boolean {
    const tool = this.get(name);
    if (tool === undefined) return false;
    this.#byName.delete(tool.tool.name);
    for (const spelling of this.#spellingsOf(tool)) this.#bySpelling.delete(spelling);
    this.#changed();
    return true;
  }

  get(name: string): RunnableTool | undefined {
    return this.#byName.get(name) ?? this.#bySpelling.get(normaliseToolName(name.slice(0, 200)));
  }

  setEnabled(name: string, enabled: boolean): boolean {
    const found = this.get(name);
    if (found === undefined) return false;
    if (found.tool.enabled === enabled) return true;
    if (enabled) found.tool.enable();
    else found.tool.disable();
    this.#changed();
    return true;
  }

  list(category?: string): readonly RunnableTool[] {
    this.#sorted ??= [...this.#byName.values()].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
    return category === undefined
      ? this.#sorted
      : this.#sorted.filter(({ tool }) => tool.category === category);
  }

  listEnabled(): readonly RunnableTool[] {
    return this.list().filter(({ tool }) => tool.enabled);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #spellingsOf({ tool }: RunnableTool): ReadonlySet<NormalName> {
    return new Set([tool.name, tool.wireName(this.naming.prefix), ...tool.aliases].map(normaliseToolName));
  }

  #changed(): void {
    this.#sorted = undefined;
    for (const listener of this.#listeners) listener();
  }
}
