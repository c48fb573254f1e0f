import type { KnownTool } from '../../domain/permission/policy/tool-capability.js';
import { type NormalName, normaliseToolName } from '../../domain/tool/tool-name.js';

/** The names of embedders' tools; of those that the server has at a time, once it has told them. */
export class EmbeddedTools extends Set<NormalName> {
  readonly #ours: ReadonlySet<NormalName>;

  constructor(known: readonly KnownTool[]) {
    super();
    const names = (builtin: boolean) =>
      known.filter((tool) => tool.builtin === builtin).map(({ name }) => normaliseToolName(name));
    this.#ours = new Set(names(true));
    for (const name of names(false)) this.add(name);
  }

  /** All registered tools, ours among them. */
  announce(tools: readonly string[]): void {
    this.clear();
    for (const name of tools.map(normaliseToolName)) if (!this.#ours.has(name)) this.add(name);
  }
}
