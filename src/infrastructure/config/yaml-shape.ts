import type { FileProblem } from '../../domain/file-problem.js';
import type { RulePosition } from '../../domain/permission/policy/rule-position.js';
import { didYouMean } from './did-you-mean.js';
import type { TreePosition, YamlTree } from './yaml-tree.js';

const MAX_QUOTED = 80;

export type JsonSchema = { readonly [key: string]: unknown };

/** Collects every problem of one file. */
export class Reading {
  constructor(
    readonly file: string,
    readonly problems: FileProblem[],
  ) {}

  report(at: TreePosition, message: string, hint?: string): undefined {
    this.problems.push({ file: this.file, ...at, message, ...(hint !== undefined && { hint }) });
    return undefined;
  }

  position(at: TreePosition): RulePosition {
    return { file: this.file, line: at.line, column: at.column };
  }
}

/** One description that both reads a value, with its problems, and is published as JSON Schema. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /** What it wants, in words: "a list of paths". */
  readonly wants: string;
  read(tree: YamlTree, reading: Reading): T | undefined;
}

export function describeTree(tree: YamlTree): string {
  if (tree.kind === 'list') return 'a list';
  if (tree.kind === 'map') return 'a map';
  if (tree.value === null) return 'nothing';
  const { value } = tree;
  // A file of another kind is one long text.
  return JSON.stringify(
    typeof value === 'string' && value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value,
  );
}

export function wrongKind(shape: { readonly wants: string }, tree: YamlTree, reading: Reading): undefined {
  return reading.report(tree.at, `Expected ${shape.wants}, got ${describeTree(tree)}.`);
}

/** A shape read from another one; `convert` reports and returns undefined where the value will not do. */
export function mapped<A, B>(
  shape: Shape<A>,
  convert: (value: A, at: TreePosition, reading: Reading) => B | undefined,
): Shape<B> {
  return {
    schema: shape.schema,
    wants: shape.wants,
    read: (tree, reading) => {
      const value = shape.read(tree, reading);
      return value === undefined ? undefined : convert(value, tree.at, reading);
    },
  };
}

export function described<T>(description: string, shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    schema: { description, ...shape.schema },
    read: (tree, reading) => shape.read(tree, reading),
  };
}

export const text: Shape<string> = {
  schema: { type: 'string', minLength: 1 },
  wants: 'a text',
  read: (tree, reading) =>
    tree.kind === 'scalar' && typeof tree.value === 'string' && tree.value !== ''
      ? tree.value
      : wrongKind(text, tree, reading),
};

export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  wants: 'true or false',
  read: (tree, reading) =>
    tree.kind === 'scalar' && typeof tree.value === 'boolean' ? tree.value : wrongKind(flag, tree, reading),
};

export const plainValue: Shape<string | number | boolean> = {
  schema: { type: ['string', 'number', 'boolean'] },
  wants: 'a string, a number, true or false',
  read: (tree, reading) =>
    tree.kind === 'scalar' && tree.value !== null ? tree.value : wrongKind(plainValue, tree, reading),
};

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Shape<number> {
  const shape: Shape<number> = {
    schema: { type: 'integer', minimum, ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }) },
    wants:
      maximum < Number.MAX_SAFE_INTEGER
        ? `a whole number from ${minimum} to ${maximum}`
        : `a whole number of at least ${minimum}`,
    read: (tree, reading) => {
      const value = tree.kind === 'scalar' ? tree.value : undefined;
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) return wrongKind(shape, tree, reading);
      return value >= minimum && value <= maximum ? value : wrongKind(shape, tree, reading);
    },
  };
  return shape;
}

export function choice<const T extends string>(...options: readonly T[]): Shape<T> {
  const shape: Shape<T> = {
    schema: { enum: options },
    wants: `one of ${options.join(', ')}`,
    read: (tree, reading) => {
      const found = tree.kind === 'scalar' ? options.find((option) => option === tree.value) : undefined;
      if (found !== undefined) return found;
      const hint = tree.kind === 'scalar' ? didYouMean(String(tree.value), options) : undefined;
      return reading.report(tree.at, `Expected ${shape.wants}, got ${describeTree(tree)}.`, hint);
    },
  };
  return shape;
}

export function listOf<T>(item: Shape<T>, wants = `a list, each ${item.wants}`): Shape<readonly T[]> {
  const shape: Shape<readonly T[]> = {
    schema: { type: 'array', items: item.schema },
    wants,
    read: (tree, reading) => {
      if (tree.kind !== 'list') return wrongKind(shape, tree, reading);
      return tree.items.flatMap((member) => {
        const value = item.read(member, reading);
        return value === undefined ? [] : [value];
      });
    },
  };
  return shape;
}

export function mapOf<T>(value: Shape<T>, wants = 'a map'): Shape<Readonly<Record<string, T>>> {
  const shape: Shape<Readonly<Record<string, T>>> = {
    schema: { type: 'object', additionalProperties: value.schema },
    wants,
    read: (tree, reading) => {
      if (tree.kind !== 'map') return wrongKind(shape, tree, reading);
      const members: [string, T][] = [];
      for (const entry of tree.entries) {
        if (entry.key.startsWith('x-')) continue;
        const read = value.read(entry.value, reading);
        if (read !== undefined) members.push([entry.key, read]);
      }
      return Object.fromEntries(members);
    },
  };
  return shape;
}

/** A map with known keys only. `x-` keys are the author's own notes. */
export function record<T extends object>(
  wants: string,
  fields: { readonly [Key in keyof T]-?: Shape<T[Key] & {}> },
  required: readonly (keyof T & string)[] = [],
): Shape<Partial<T>> {
  const shape: Shape<Partial<T>> = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)])),
      ...(required.length > 0 && { required }),
      patternProperties: { '^x-': {} },
      additionalProperties: false,
    },
    wants,
    read: (tree, reading) => {
      if (tree.kind !== 'map') return wrongKind(shape, tree, reading);
      const value: Partial<T> = {};
      for (const { key, at, value: member } of tree.entries) {
        if (key.startsWith('x-')) continue;
        if (!isKeyOf(fields, key)) {
          const known = Object.keys(fields);
          const hint =
            didYouMean(key, known) ?? `Known here: ${known.join(', ')}. Your own notes begin with x-.`;
          reading.report(at, `Unknown key ${JSON.stringify(key)}.`, hint);
          continue;
        }
        const read = fields[key].read(member, reading);
        if (read !== undefined) value[key] = read;
      }
      for (const key of required) {
        const given = tree.entries.some((entry) => entry.key === key);
        if (!given) reading.report(tree.at, `The key ${JSON.stringify(key)} is missing.`);
      }
      return value;
    },
  };
  return shape;
}

function schemaOf(field: unknown): unknown {
  return typeof field === 'object' && field !== null && 'schema' in field ? field.schema : {};
}

function isKeyOf<T extends object>(fields: T, key: string): key is keyof T & string {
  return Object.hasOwn(fields, key);
}

/** One shape for scalars, lists or maps each: which one applies is seen from the value itself. */
export function byKind<T>(
  wants: string,
  kinds: { readonly scalar?: Shape<T>; readonly list?: Shape<T>; readonly map?: Shape<T> },
): Shape<T> {
  const shape: Shape<T> = {
    schema: { anyOf: [kinds.scalar, kinds.list, kinds.map].flatMap((kind) => (kind ? [kind.schema] : [])) },
    wants,
    read: (tree, reading) => {
      const chosen = kinds[tree.kind];
      return chosen === undefined ? wrongKind(shape, tree, reading) : chosen.read(tree, reading);
    },
  };
  return shape;
}
