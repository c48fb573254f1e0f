import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { isJsonObject } from '../../domain/json-value.js';
import { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** What the schema of a value keeps; every client's converter takes these. Bounds are checked, and said, at a call. */
const KEPT = new Set(['type', 'enum', 'required', 'description']);

/**
 * The input schema as a listing sends it where every token counts. Arguments are checked against the whole schema
 * all the same. A definition without concise words of its own is sent untouched: an embedder's schema is its own.
 */
export function conciseSchema({ input, concise, unlisted }: ToolDefinition): ToolInputSchema {
  if (concise === undefined) return input;
  const shown = Object.entries(input.properties ?? {}).filter(([name]) => !unlisted?.includes(name));
  const words = concise.arguments ?? {};
  const properties = shown.map(([name, property]) => [name, reduced(property, name, words)]);
  return ToolInputSchema.of(Object.fromEntries(properties), concise.required ?? input.required ?? []);
}

function reduced(schema: unknown, path: string, words: Readonly<Record<string, string>>): object {
  if (!isJsonObject(schema)) return {};
  const kept = Object.entries(schema).filter(([key]) => KEPT.has(key) && key !== 'description');
  const description = words[path] ?? schema.description;
  return {
    ...Object.fromEntries(kept),
    ...(schema.const !== undefined && { type: typeof schema.const, enum: [schema.const] }),
    ...(Array.isArray(schema.anyOf) && {
      anyOf: schema.anyOf.map((member) => reduced(member, path, NO_WORDS)),
    }),
    ...(isJsonObject(schema.items) && { items: reduced(schema.items, `${path}[]`, words) }),
    ...(isJsonObject(schema.properties) && reducedMembers(schema.properties, path, words)),
    ...(typeof description === 'string' && description !== '' && { description }),
  };
}

const NO_WORDS: Readonly<Record<string, string>> = Object.freeze({});

function reducedMembers(properties: Schema, path: string, words: Readonly<Record<string, string>>): object {
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    reduced(member, `${path}.${name}`, words),
  ]);
  return { properties: Object.fromEntries(members), additionalProperties: false };
}
