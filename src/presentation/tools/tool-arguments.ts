import type { TObject, TProperties } from 'typebox';
import * as Type from 'typebox';

/** The arguments of a tool: a closed object, so that an unknown key is a refusal and not a silent surprise. */
export function toolArguments<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}
