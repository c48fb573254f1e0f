/** The groups of tools to which a setting or a client can limit the list. */
export const TOOLSETS = ['files', 'commands', 'knowledge', 'flags', 'meta', 'ai'] as const;

export type Toolset = (typeof TOOLSETS)[number];

/** What a workspace or a client must have for a tool to be useful: flags, or a reachable model. */
export type ToolRequirement = 'flags' | 'model';

/** The purpose of each set, for deciding whether to add it. */
export const TOOLSET_PURPOSE: Readonly<Record<Toolset, string>> = {
  files: 'read, search and change files',
  commands: 'run programs',
  knowledge: "the project's guidelines, patterns and decisions",
  flags: 'flags of the project and of all projects',
  meta: 'facts about the server and the system',
  ai: 'ask a Claude model',
};

const BY_CATEGORY: ReadonlyMap<string, Toolset> = new Map([
  ['file', 'files'],
  ['system', 'commands'],
  ['knowledge', 'knowledge'],
  ['project', 'flags'],
  ['meta', 'meta'],
  ['utility', 'meta'],
  ['ai', 'ai'],
]);

export function isToolset(name: unknown): name is Toolset {
  return TOOLSETS.some((known) => known === name);
}

/** undefined if it is in no set and therefore always listed. */
export function toolsetOf(category: string | undefined): Toolset | undefined {
  return category === undefined ? undefined : BY_CATEGORY.get(category);
}

/**
 * Parses `all`, or names separated by commas or in a list; returns the first unknown name if there is one.
 */
export function parseToolsets(names: readonly string[]): readonly Toolset[] | { readonly unknown: string } {
  if (names.length === 1 && names[0] === 'all') return TOOLSETS;
  const unknown = names.find((name) => !isToolset(name));
  return unknown === undefined ? names.filter(isToolset) : { unknown };
}
