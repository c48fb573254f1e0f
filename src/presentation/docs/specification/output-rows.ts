import { isJsonObject } from '../../../domain/json-value.js';
import { type SchemaRow, schemaType } from '../schema-markdown.js';

/** The fields of an answer, however deep, each with its part of the example. */
export function outputRows(schema: unknown, example: unknown): readonly SchemaRow[] {
  return [row('value', schema, true, example), ...below(schema, 'value', example)];
}

/** The fields of one answer of a tool that answers with text. */
export function textRows(description: string, example: unknown): readonly SchemaRow[] {
  return [
    row('content[0].type', { type: 'string', description: 'The kind of block.' }, true, 'text'),
    row('content[0].text', { type: 'string', description }, true, example),
    row('isError', { type: 'boolean', description: 'Absent or false.' }, false, false),
  ];
}

function below(schema: unknown, at: string, example: unknown): readonly SchemaRow[] {
  if (!isJsonObject(schema)) return [];
  if (isJsonObject(schema.properties)) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.entries(schema.properties).flatMap(([name, member]) => {
      const part = isJsonObject(example) ? example[name] : undefined;
      return [
        row(`${at}.${name}`, member, required.includes(name), part),
        ...below(member, `${at}.${name}`, part),
      ];
    });
  }
  if (isJsonObject(schema.items)) {
    return below(schema.items, `${at}[]`, Array.isArray(example) ? together(example) : undefined);
  }
  if (isJsonObject(schema.patternProperties)) {
    const [member] = Object.values(schema.patternProperties);
    return below(member, `${at}.*`, isJsonObject(example) ? Object.values(example)[0] : undefined);
  }
  return [];
}

/** What any of the entries shows of a field, the first one first: not every entry has every field. */
function together(entries: readonly unknown[]): unknown {
  return Object.assign({}, ...entries.filter(isJsonObject).reverse());
}

function row(name: string, schema: unknown, required: boolean, example: unknown): SchemaRow {
  const shown = example === undefined ? exampleOf(schema) : example;
  const words = isJsonObject(schema) && typeof schema.description === 'string' ? schema.description : '';
  return {
    name,
    type: schemaType(schema),
    required,
    description: words === '' ? 'An object with the fields below.' : words,
    example: shown === undefined ? undefined : JSON.stringify(shown),
  };
}

/** What only some answers have may be missing from the example of a whole one. */
function exampleOf(schema: unknown): unknown {
  return isJsonObject(schema) && Array.isArray(schema.examples) ? schema.examples[0] : undefined;
}
