export interface TreePosition {
  readonly line: number;
  readonly column: number;
}

/** A YAML document as plain data in which every part knows where it stands. */
export type YamlTree =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null; readonly at: TreePosition }
  | { readonly kind: 'list'; readonly items: readonly YamlTree[]; readonly at: TreePosition }
  | { readonly kind: 'map'; readonly entries: readonly YamlEntry[]; readonly at: TreePosition };

export interface YamlEntry {
  readonly key: string;
  readonly at: TreePosition;
  readonly value: YamlTree;
}

/** The value under a key; undefined where it is no map, or has no such key. */
export function member(tree: YamlTree | undefined, key: string): YamlTree | undefined {
  return tree?.kind === 'map' ? tree.entries.find((entry) => entry.key === key)?.value : undefined;
}

export const MAX_POLICY_BYTES = 256 * 1024;
export const MAX_NODES = 50_000;
export const MAX_DEPTH = 32;
