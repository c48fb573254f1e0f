import { describeTree, listOf, type Shape } from './yaml-shape.js';
import type { YamlTree } from './yaml-tree.js';

/** A list in which no item stands twice: the second would change nothing. */
export function setOf<T>(item: Shape<T>, wants?: string): Shape<readonly T[]> {
  const list = listOf(item, wants);
  return {
    ...list,
    read: (tree, reading) => {
      const seen = new Set<string>();
      for (const member of tree.kind === 'list' ? tree.items : []) {
        const content = contentOf(member);
        if (seen.has(content)) {
          reading.report(
            member.at,
            `${describeTree(member)} is in this list already.`,
            'Remove one of them.',
          );
        }
        seen.add(content);
      }
      return list.read(tree, reading);
    },
  };
}

function contentOf(tree: YamlTree): string {
  switch (tree.kind) {
    case 'scalar':
      return JSON.stringify(tree.value);
    case 'list':
      return `[${tree.items.map(contentOf).join(',')}]`;
    case 'map':
      return `{${tree.entries
        .map(({ key, value }) => `${JSON.stringify(key)}:${contentOf(value)}`)
        .sort()
        .join(',')}}`;
  }
}
