import { isJsonObject } from '../../domain/json-value.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';

export interface SchemaRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly example: string | undefined;
}

/** The arguments of a schema, in its order. */
export function schemaRows(schema: Pick<ToolInputSchema, 'properties' | 'required'>): readonly SchemaRow[] {
  const { properties, required } = schema;
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    type: schemaType(property),
    required: required?.includes(name) ?? false,
    description: 'description' in property ? String(property.description) : '',
    example: exampleOf(property),
  }));
}

/** The schema as markdown: one line an argument with name, type, whether it is required, and its description. */
export function toSchemaMarkdown(schema: ToolInputSchema): string {
  const rows = schemaRows(schema);
  if (rows.length === 0) return 'No arguments.';
  return rows
    .map(
      (row) =>
        `- \`${row.name}\` (${row.type}, ${row.required ? 'required' : 'optional'}): ${row.description}`,
    )
    .join('\n');
}

/** A type in a word or two; literals and enumerations show their values. */
export function schemaType(schema: unknown): string {
  if (!isJsonObject(schema)) return 'any';
  const type = bareType(schema);
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type;
}

function bareType(schema: Readonly<Record<string, unknown>>): string {
  if ('const' in schema) return `literal ${JSON.stringify(schema.const)}`;
  if (Array.isArray(schema.enum))
    return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(' | ')}`;
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return [...new Set(union.map(schemaType))].join(' | ').replaceAll('literal ', '');
  if (schema.type === 'array') return `array of ${schemaType(schema.items)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function exampleOf(property: unknown): string | undefined {
  if (!isJsonObject(property)) return undefined;
  if (Array.isArray(property.examples) && property.examples.length > 0)
    return JSON.stringify(property.examples[0]);
  if ('const' in property) return JSON.stringify(property.const);
  if (Array.isArray(property.enum)) return JSON.stringify(property.enum[0]);
  return 'default' in property ? JSON.stringify(property.default) : undefined;
}
