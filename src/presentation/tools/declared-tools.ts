import type { ToolDefinition } from '../../application/tool/tool-definition.js';

/** On the global object, because a module may bring its own copy of this file: they all mean one collection. */
const COLLECTION: unique symbol = Symbol.for('castellan.declared-tools');

type Collection = Map<string, ToolDefinition>;

const shared: typeof globalThis & { [COLLECTION]?: Collection } = globalThis;

function collection(): Collection {
  shared[COLLECTION] ??= new Map();
  return shared[COLLECTION];
}

/**
 * For modules that register by being imported: adds the definition to the collection and returns it unchanged.
 * Every step runs to its end without awaiting, so tasks that interleave cannot lose or double a tool.
 */
export function declareTool(definition: ToolDefinition): ToolDefinition {
  const declared = collection();
  if (declared.has(definition.name)) {
    throw new Error(`The tool ${definition.name} is declared twice; give one of the two another name.`);
  }
  declared.set(definition.name, definition);
  return definition;
}

/** Everything declared since the last call, by name. What was handed out once is not handed out again. */
export function takeDeclaredTools(): Readonly<Record<string, ToolDefinition>> {
  const taken = Object.fromEntries(collection());
  collection().clear();
  return taken;
}

/** For a start that failed with them: they are there again for the next one. A tool declared since then stays. */
export function returnDeclaredTools(definitions: readonly ToolDefinition[]): void {
  const declared = collection();
  for (const definition of definitions)
    if (!declared.has(definition.name)) declared.set(definition.name, definition);
}
