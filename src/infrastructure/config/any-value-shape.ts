import { byKind, listOf, mapOf, plainValue, type Shape } from './yaml-shape.js';

/** Whatever YAML can say, as plain data. */
export const anyValue: Shape<unknown> = byKind<unknown>('any value', {
  scalar: { ...plainValue, read: (tree) => (tree.kind === 'scalar' ? tree.value : undefined) },
  list: {
    schema: { type: 'array' },
    wants: 'a list',
    read: (tree, reading) => listOf(anyValue).read(tree, reading),
  },
  map: {
    schema: { type: 'object' },
    wants: 'a map',
    read: (tree, reading) => mapOf(anyValue).read(tree, reading),
  },
});
