import { isJsonObject } from '../../domain/json-value.js';

/** A JSON Schema in a few words: "one of "a", "b"", "an integer of at least 1". */
export function expectation(property: unknown, whole = true): string {
  if (!isJsonObject(property)) return '';
  if (property.const !== undefined) return `exactly ${JSON.stringify(property.const)}`;
  const choices = choicesOf(property);
  if (choices.length > 0) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  if (Array.isArray(property.anyOf)) return unionOf(property.anyOf);
  const type = Array.isArray(property.type) ? property.type.join(' or ') : property.type;
  if (typeof type !== 'string') return '';
  if (type === 'null') return type;
  const article = /^[aeiou]/.test(type) ? 'an' : 'a';
  return [`${article} ${type}`, ...boundsOf(property)].join(' ') + (whole ? contentsOf(property) : '');
}

/** ", each a string" of an array, " {old_text, new_text, replace_all?}" of an object. */
function contentsOf({ items, properties, required }: Readonly<Record<string, unknown>>): string {
  const each = expectation(items);
  if (each !== '') return `, each ${each}`;
  if (!isJsonObject(properties)) return '';
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.keys(properties).map((name) => (needed.has(name) ? name : `${name}?`));
  return ` {${members.join(', ')}}`;
}

/** "a boolean, a string or an array"; nothing where a member cannot be put into words. */
function unionOf(members: readonly unknown[]): string {
  const words = [...new Set(members.map((member) => expectation(member, false)))];
  if (words.includes('')) return '';
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function choicesOf(property: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (Array.isArray(property.enum)) return property.enum;
  if (!Array.isArray(property.anyOf)) return [];
  const constants = property.anyOf.flatMap((member) =>
    isJsonObject(member) && 'const' in member ? [member.const] : [],
  );
  return constants.length === property.anyOf.length ? constants : [];
}

const RANGES = [
  ['minimum', 'maximum', '', ''],
  ['minLength', 'maxLength', ' character', ' characters'],
  ['minItems', 'maxItems', ' entry', ' entries'],
] as const;

function boundsOf(property: Readonly<Record<string, unknown>>): readonly string[] {
  const ranges = RANGES.map(([low, high, one, many]) =>
    rangeOf(property[low], property[high], (property[high] ?? property[low]) === 1 ? one : many),
  );
  const { pattern, format, exclusiveMinimum } = property;
  return [
    ...(exclusiveMinimum === undefined ? [] : [`above ${String(exclusiveMinimum)} and`]),
    ...ranges.filter((range) => range !== ''),
    ...(pattern === undefined ? [] : [`matching ${String(pattern)}`]),
    ...(format === undefined ? [] : [`in the format ${String(format)}`]),
  ];
}

/** "of 1 to 20", "of at least 1 character". */
function rangeOf(low: unknown, high: unknown, unit: string): string {
  if (low === undefined) return high === undefined ? '' : `of at most ${String(high)}${unit}`;
  if (high === undefined) return `of at least ${String(low)}${unit}`;
  return low === high ? `of exactly ${String(low)}${unit}` : `of ${String(low)} to ${String(high)}${unit}`;
}
