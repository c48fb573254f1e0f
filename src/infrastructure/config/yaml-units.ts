import { describeTree, type Shape } from './yaml-shape.js';
import type { YamlTree } from './yaml-tree.js';

const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;
const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const SIZE = /^(\d+(?:\.\d+)?)\s*(B|KiB|MiB|GiB|TiB|kB|KB|MB|GB)?$/;
const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
  kB: 1000,
  KB: 1000,
  MB: 1e6,
  GB: 1e9,
};
const RATE = /^(\d+)\s*\/\s*(s|sec|min|m|h|hour|d|day)$/;
const WINDOWS: Readonly<Record<string, number>> = {
  s: 1000,
  sec: 1000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

/** In milliseconds. A bare number is seconds. */
export const duration: Shape<number> = unit(
  'a time such as 30 (seconds), "500ms" or "2m"',
  { type: ['number', 'string'], pattern: DURATION.source, exclusiveMinimum: 0 },
  (value) => {
    if (typeof value === 'number') return value * 1000;
    const match = DURATION.exec(value);
    return match === null ? undefined : Number(match[1]) * (MILLISECONDS[match[2] ?? ''] ?? Number.NaN);
  },
);

/** In bytes. */
export const size: Shape<number> = unit(
  'a size such as 256KiB or 5MiB',
  { type: ['integer', 'string'], pattern: SIZE.source, exclusiveMinimum: 0 },
  (value) => {
    if (typeof value === 'number') return value;
    const match = SIZE.exec(value);
    return match === null ? undefined : Number(match[1]) * (BYTES[match[2] ?? 'B'] ?? Number.NaN);
  },
);

export interface Frequency {
  readonly limit: number;
  readonly windowMs: number;
}

export const frequency: Shape<Frequency> = {
  schema: { type: 'string', pattern: RATE.source },
  wants: 'a rate such as 120/min',
  read: (tree, reading) => {
    const match = tree.kind === 'scalar' && typeof tree.value === 'string' ? RATE.exec(tree.value) : null;
    const limit = Number(match?.[1]);
    const windowMs = WINDOWS[match?.[2] ?? ''];
    if (windowMs !== undefined && limit > 0) return { limit, windowMs };
    return reading.report(tree.at, `Expected ${frequency.wants}, got ${describeTree(tree)}.`);
  },
};

function unit(
  wants: string,
  schema: Shape<number>['schema'],
  convert: (value: string | number) => number | undefined,
): Shape<number> {
  const read = (tree: YamlTree): number | undefined => {
    if (tree.kind !== 'scalar' || tree.value === null || typeof tree.value === 'boolean') return undefined;
    const value = convert(tree.value);
    return value !== undefined && Number.isFinite(value) && value > 0 ? Math.ceil(value) : undefined;
  };
  return {
    schema,
    wants,
    read: (tree, reading) =>
      read(tree) ?? reading.report(tree.at, `Expected ${wants}, got ${describeTree(tree)}.`),
  };
}
