import { isJsonObject } from '../../src/domain/json-value.js';
import { code, pageOf, table } from './markdown.js';

type Schema = Readonly<Record<string, unknown>>;

interface KeyRow {
  readonly key: string;
  readonly type: string;
  readonly description: string;
}

/** A page with a section per top-level key of a schema, and a row per key below it. */
export function schemaPage(title: string, purpose: string, schema: Schema): string {
  const keys = Object.entries(propertiesOf(schema));
  const [plain, nested] = [keys.filter(([, one]) => !hasKeys(one)), keys.filter(([, one]) => hasKeys(one))];
  const top = plain.map(([key, one]) => rowOf(key, one));
  const sections = nested.map(([key, one]) => {
    const text = descriptionOf(one);
    return [`## ${key}`, ...(text === '' ? [] : [text]), keyTable(rowsBelow(one, key))].join('\n\n');
  });
  return pageOf(title, purpose, [...(top.length === 0 ? [] : [keyTable(top)]), ...sections]);
}

function keyTable(rows: readonly KeyRow[]): string {
  return table(
    ['key', 'value', 'meaning'],
    rows.map((row) => [code(row.key), row.type, row.description]),
  );
}

/** Keys of objects, of the members of lists and of every alternative; a key that several of them have is named once. */
function rowsBelow(schema: unknown, path: string): readonly KeyRow[] {
  const rows = new Map<string, KeyRow>();
  for (const row of allBelow(schema, path)) {
    const known = rows.get(row.key);
    if (known === undefined || known.description === '') rows.set(row.key, row);
  }
  return [...rows.values()];
}

function allBelow(schema: unknown, path: string): readonly KeyRow[] {
  if (!isJsonObject(schema)) return [];
  const own = Object.entries(propertiesOf(schema)).flatMap(([key, one]) => {
    const name = `${path}.${key}`;
    return [rowOf(name, one), ...allBelow(one, name)];
  });
  const named = isJsonObject(schema.additionalProperties)
    ? allBelow(schema.additionalProperties, `${path}.NAME`)
    : [];
  const members = isJsonObject(schema.items) ? allBelow(schema.items, `${path}[]`) : [];
  const choices = alternativesOf(schema).flatMap((one) => allBelow(one, path));
  return [...own, ...named, ...members, ...choices];
}

function rowOf(key: string, schema: unknown): KeyRow {
  return { key, type: typeOf(schema), description: descriptionOf(schema) };
}

function hasKeys(schema: unknown): boolean {
  return allBelow(schema, '').length > 0;
}

/** The values a person may write, in a few words. */
export function typeOf(schema: unknown): string {
  if (!isJsonObject(schema)) return 'anything';
  if ('const' in schema) return code(String(schema.const));
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => code(String(value))).join(', ');
  const choices = alternativesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' or ');
  if (isUnit(schema, '|h|')) return 'time: seconds, or such as `30s`, `2h`, `7d`';
  if (isUnit(schema, 'MiB')) return 'size: bytes, or such as `64MiB`';
  if (schema.type === 'array' || includes(schema.type, 'array')) return `list of ${typeOf(schema.items)}`;
  if (schema.type === 'object') return isJsonObject(schema.additionalProperties) ? 'map' : 'object';
  return `${wordOf(schema.type)}${rangeOf(schema)}`;
}

function isUnit(schema: Schema, unit: string): boolean {
  return typeof schema.pattern === 'string' && Array.isArray(schema.type) && schema.pattern.includes(unit);
}

function wordOf(type: unknown): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    boolean: '`true`, `false`',
  };
  const all: readonly unknown[] = Array.isArray(type) ? type : [type];
  return all.map((one) => (typeof one === 'string' ? (words[one] ?? one) : 'anything')).join(' or ');
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}

function includes(list: unknown, value: string): boolean {
  return Array.isArray(list) && list.includes(value);
}

function alternativesOf(schema: Schema): readonly unknown[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return Array.isArray(alternatives) ? alternatives : [];
}

function propertiesOf(schema: unknown): Schema {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
}

function descriptionOf(schema: unknown): string {
  return isJsonObject(schema) && typeof schema.description === 'string' ? schema.description : '';
}
