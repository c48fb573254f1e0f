/** The sets that tools come in: a setting or a client narrows the list to some of them. */
export const TOOLSETS = ['files', 'commands', 'knowledge', 'flags', 'meta', 'ai'] as const;

export type Toolset = (typeof TOOLSETS)[number];

/** What a workspace or a client must have before a tool is of any use: flags, or a model that can be reached. */
export type ToolRequirement = 'flags' | 'model';

/** What each set is for, for who decides whether to add it. */
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

/** undefined: in no set, and therefore always shown. */
export function toolsetOf(category: string | undefined): Toolset | undefined {
  return category === undefined ? undefined : BY_CATEGORY.get(category);
}

/** `all`, or names divided by commas or in a list; the first that is none of ours where there is one. */
export function parseToolsets(names: readonly string[]): readonly Toolset[] | { readonly unknown: string } {
  if (names.length === 1 && names[0] === 'all') return TOOLSETS;
  const unknown = names.find((name) => !isToolset(name));
  return unknown === undefined ? names.filter(isToolset) : { unknown };
}
