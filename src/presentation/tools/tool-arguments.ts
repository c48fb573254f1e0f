import type { Static, TObject, TProperties, TSchema } from 'typebox';
import * as Type from 'typebox';

/** The arguments of a tool: a closed object, so that an unknown key is refused. */
export function toolArguments<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** One of several words. The type is included because several clients refuse an enum without one. */
export function oneOf<const Words extends readonly string[]>(words: Words, options: object = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options });
}

/** Values by name. TypeBox writes records as patternProperties, which several clients refuse. */
export function mapOf<Value extends TSchema>(value: Value, options: object = {}) {
  return Type.Unsafe<Readonly<Record<string, Static<Value>>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}
