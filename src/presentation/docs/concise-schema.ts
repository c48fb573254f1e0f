import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { isJsonObject } from '../../domain/json-value.js';
import { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** Prose. Everything else in a schema decides whether a call is accepted, or what it means without the argument. */
const PROSE = new Set(['description', 'title', 'examples', '$comment']);

/** Written anew below, member by member. */
const NESTED = new Set(['const', 'anyOf', 'items', 'properties', 'additionalProperties']);

/**
 * The input schema as a listing sends it if every token counts: shorter words, and every argument with its type,
 * values, bounds, format and default. A definition without concise words is sent untouched: an embedder's schema is
 * its own.
 */
export function conciseSchema({ input, concise }: ToolDefinition): ToolInputSchema {
  if (concise === undefined) return input;
  const words = concise.arguments ?? {};
  const properties = Object.entries(input.properties ?? {}).map(([name, property]) => [
    name,
    reduced(property, name, words),
  ]);
  return ToolInputSchema.of(Object.fromEntries(properties), input.required ?? []);
}

function reduced(schema: unknown, path: string, words: Readonly<Record<string, string>>): object {
  if (!isJsonObject(schema)) return {};
  const kept = Object.entries(schema).filter(([key]) => !PROSE.has(key) && !NESTED.has(key));
  const description = words[path] ?? schema.description;
  return {
    ...Object.fromEntries(kept),
    ...(schema.const !== undefined && { type: typeof schema.const, enum: [schema.const] }),
    ...(Array.isArray(schema.anyOf) && {
      anyOf: schema.anyOf.map((member) => reduced(member, path, NO_WORDS)),
    }),
    ...(isJsonObject(schema.items) && { items: reduced(schema.items, `${path}[]`, words) }),
    ...(isJsonObject(schema.properties) && reducedMembers(schema.properties, path, words)),
    ...(isJsonObject(schema.additionalProperties) &&
      Object.keys(schema.additionalProperties).length > 0 && {
        additionalProperties: reduced(schema.additionalProperties, `${path}.*`, words),
      }),
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
