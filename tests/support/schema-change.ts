import { isJsonObject } from '../../src/domain/json-value.js';

export type ChangeKind = 'none' | 'additive' | 'breaking';

export interface SchemaChange {
  readonly kind: ChangeKind;
  readonly what: readonly string[];
}

/** Words about a field; they do not change what may be sent or comes back. */
const PROSE = new Set(['description', 'title', 'examples', '$comment', 'default']);

/** What a change of a schema means to those who use it: an input may grow optional fields, an output any. */
export function classifyChange(
  given: unknown,
  now: unknown,
  side: 'input' | 'output',
  at = '$',
): SchemaChange {
  const [before, after] = [oneSpelling(given), oneSpelling(now)];
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? none : breaking(`${at} is another value`);
  }
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !PROSE.has(key))
    .map((key) => {
      if (key === 'properties') return fieldChanges(before, after, side, at);
      // A format that is said now was kept before, or the version before was wrong.
      if (key === 'format' && side === 'output' && before.format === undefined)
        return { kind: 'additive' as const, what: [`${at} has a format now`] };
      if (key === 'enum' && side === 'input' && grew(before.enum, after.enum))
        return { kind: 'additive' as const, what: [`${at} takes more values`] };
      if (key === 'required') return requiredChanges(before.required, after.required, side, at);
      return classifyChange(before[key], after[key], side, `${at}.${key}`);
    });
  return together(changes);
}

/** What could be sent before can still be sent. */
function grew(before: unknown, after: unknown): boolean {
  return (
    Array.isArray(before) &&
    Array.isArray(after) &&
    after.length > before.length &&
    before.every((value) => after.includes(value))
  );
}

/** Two ways to write the same: a map by patternProperties, and words without their type. */
function oneSpelling(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(oneSpelling);
  if (!isJsonObject(schema)) return schema;
  const { patternProperties, type, ...rest } = schema;
  const [values] = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  const isWords = Array.isArray(schema.enum) && schema.enum.every((word) => typeof word === 'string');
  return {
    ...rest,
    ...(values !== undefined && { additionalProperties: oneSpelling(values) }),
    ...(type !== undefined && !(isWords && type === 'string') && { type }),
  };
}

function fieldChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  side: 'input' | 'output',
  at: string,
): SchemaChange {
  const old = isJsonObject(before.properties) ? before.properties : {};
  const now = isJsonObject(after.properties) ? after.properties : {};
  const changes = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((name): SchemaChange => {
    if (!(name in now)) return breaking(`${at}.${name} was removed`);
    if (!(name in old)) return { kind: 'additive', what: [`${at}.${name} was added`] };
    return classifyChange(old[name], now[name], side, `${at}.${name}`);
  });
  return together(changes);
}

function requiredChanges(
  before: unknown,
  after: unknown,
  side: 'input' | 'output',
  at: string,
): SchemaChange {
  const old = new Set(Array.isArray(before) ? before : []);
  const now = new Set(Array.isArray(after) ? after : []);
  const changes = [...new Set([...old, ...now])].map((name): SchemaChange => {
    if (old.has(name) === now.has(name)) return none;
    const harder = side === 'input' ? now.has(name) : old.has(name);
    const what = `${at}.${name} is ${now.has(name) ? 'required now' : 'optional now'}`;
    return { kind: harder ? 'breaking' : 'additive', what: [what] };
  });
  return together(changes);
}

const none: SchemaChange = { kind: 'none', what: [] };

function breaking(what: string): SchemaChange {
  return { kind: 'breaking', what: [what] };
}

function together(changes: readonly SchemaChange[]): SchemaChange {
  const kinds = changes.map(({ kind }) => kind);
  const kind = kinds.includes('breaking') ? 'breaking' : kinds.includes('additive') ? 'additive' : 'none';
  return { kind, what: changes.flatMap(({ what }) => what) };
}

/** The smallest version that tells the truth about a change. */
export function dueVersion(version: string, kind: ChangeKind): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  switch (kind) {
    case 'breaking':
      return `${major + 1}.0.0`;
    case 'additive':
      return `${major}.${minor + 1}.0`;
    case 'none':
      return version;
  }
}

export function isAtLeast(version: string, wanted: string): boolean {
  const [a = [], b = []] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
