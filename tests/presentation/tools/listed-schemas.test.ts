import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isJsonObject } from '../../../src/domain/json-value.js';
import { isDescription } from '../../../src/presentation/docs/specification/plain-words.js';
import { toolFromDefinition } from '../../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';

type Schema = Readonly<Record<string, unknown>>;

/** What all of them take: Gemini's function declarations, LangChain's converters and the AI SDK. */
const COMMON = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'anyOf',
  'description',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
]);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** The rules of the converters as their documents write them, applied to one schema and everything in it. */
function problemsOf(schema: unknown, at: string): readonly string[] {
  if (!isJsonObject(schema)) return [`${at} is no schema`];
  const problems = Object.keys(schema)
    .filter((key) => !COMMON.has(key))
    .map((key) => `${at} has ${key}`);
  if (schema.anyOf === undefined && !TYPES.has(String(schema.type)))
    problems.push(`${at} has no single type`);
  if (Array.isArray(schema.enum) && !schema.enum.every((word) => typeof word === schema.type))
    problems.push(`${at} has words of another type`);
  if (schema.type === 'array' && !isJsonObject(schema.items))
    problems.push(`${at} says nothing of its items`);
  const { additionalProperties: others } = schema;
  if (others !== undefined && others !== false && !isJsonObject(others)) problems.push(`${at} is open`);
  return [...problems, ...partsOf(schema, at).flatMap(([part, place]) => problemsOf(part, place))];
}

function partsOf(schema: Schema, at: string): readonly (readonly [unknown, string])[] {
  const { properties, items, anyOf } = schema;
  return [
    ...Object.entries(isJsonObject(properties) ? properties : {}).map(
      ([key, part]) => [part, `${at}.${key}`] as const,
    ),
    ...(items === undefined ? [] : [[items, `${at}[]`] as const]),
    ...(Array.isArray(anyOf) ? anyOf.map((part, index) => [part, `${at}|${index}`] as const) : []),
  ];
}

/**
 * OpenAI's strict mode: every property is required, optional ones may be null, every object is closed. It knows no
 * defaults and no lengths, so who uses it leaves them out.
 */
function strict(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const { properties, required, items, anyOf, default: _, minLength, maxLength, ...rest } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([key, part]) => {
    const strictPart = strict(part);
    return [key, needed.has(key) ? strictPart : { anyOf: [strictPart, { type: 'null' }] }] as const;
  });
  return {
    ...rest,
    ...(schema.type === 'object' && {
      properties: Object.fromEntries(members),
      required: members.map(([key]) => key),
      additionalProperties: false,
    }),
    ...(items !== undefined && { items: strict(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(strict) }),
  };
}

function keywordsOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  return isJsonObject(schema)
    ? Object.entries(schema).flatMap(([key, part]) => [key, ...keywordsOf(part)])
    : [];
}

const PROSE = new Set(['description', 'title', 'examples']);

/** The schema without words, with a constant as the one word it may be. */
function withoutProse(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutProse);
  if (!isJsonObject(schema)) return schema;
  const { const: only, properties, additionalProperties: others, ...rest } = schema;
  const members = Object.entries(isJsonObject(properties) ? properties : {});
  const kept = Object.entries(rest).filter(([key]) => !PROSE.has(key));
  return {
    ...Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part)])),
    ...(only !== undefined && { type: typeof only, enum: [only] }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(members.map(([key, part]) => [key, withoutProse(part)])),
    }),
    // Anything goes, said or not.
    ...(others !== undefined &&
      JSON.stringify(others) !== '{}' && { additionalProperties: withoutProse(others) }),
  };
}

describe('schemas that every client takes', () => {
  for (const definition of builtinTools) {
    const listed = toolFromDefinition(definition, 'concise', 'text');
    if (!listed.success) throw new Error(listed.error);
    const { inputSchema, outputSchema } = listed.value.toMcpFormat();

    it(`${definition.name}: the listed schema, and what strict mode makes of it`, () => {
      expect(problemsOf(inputSchema, '$')).to.deep.equal([]);
      expect(problemsOf(strict(inputSchema), '$')).to.deep.equal([]);
      expect(outputSchema).to.equal(undefined);
    });

    it(`C29, S2-22, S0-60: ${definition.name} is listed with every argument, bound, format and default`, () => {
      expect(withoutProse(inputSchema)).to.deep.equal(withoutProse(definition.input));
    });

    it(`S0-60: ${definition.name}: every listed argument is described, in half a line`, () => {
      for (const [name, property] of Object.entries(inputSchema.properties ?? {})) {
        const words = 'description' in property ? String(property.description) : '';
        expect(isDescription(words), `${name}: ${words}`).to.equal(true);
        expect(words.length, words).to.be.at.most(80);
      }
    });

    it(`${definition.name}: no schema of it has patternProperties or words without a type`, () => {
      const schemas = [definition.input, definition.output ?? {}];
      expect(keywordsOf(schemas)).not.to.include('patternProperties');
      const untyped = (schema: unknown): boolean => {
        if (Array.isArray(schema)) return schema.some(untyped);
        if (!isJsonObject(schema)) return false;
        if (Array.isArray(schema.enum) && schema.type === undefined) return true;
        return Object.values(schema).some(untyped);
      };
      expect(untyped(schemas)).to.equal(false);
    });
  }
});
