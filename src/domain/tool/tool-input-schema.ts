import { isJsonObject } from '../json-value.js';
import { Result } from '../result.js';

/** A JSON Schema whose root is an object: `tools/list` sends it and arguments are validated with it. */
export interface ToolInputSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | object;
}

function isInputSchema(schema: unknown): schema is ToolInputSchema {
  if (!isJsonObject(schema) || schema.type !== 'object') return false;
  const { properties, required } = schema;
  const described =
    properties === undefined || (isJsonObject(properties) && Object.values(properties).every(isSchema));
  const listed =
    required === undefined || (Array.isArray(required) && required.every((key) => typeof key === 'string'));
  return described && listed;
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

export function parseToolInputSchema(schema: unknown): Result<ToolInputSchema> {
  if (isInputSchema(schema)) return Result.ok(schema);
  return Result.failure(
    'The input schema must be a JSON Schema with "type": "object", "properties" an object of schemas ' +
      'and "required" a list of names.',
    'InvalidToolSchema',
  );
}

/** The short form: properties and required names; the object is closed. */
export function closedObjectSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): ToolInputSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Created from properties and required names, or parsed from an existing JSON Schema. */
export const ToolInputSchema = { of: closedObjectSchema, parse: parseToolInputSchema } as const;
