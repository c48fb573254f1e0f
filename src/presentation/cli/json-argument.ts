import { isJsonObject } from '../../domain/json-value.js';

/** The arguments of a tool as somebody typed them; undefined where they are no JSON object. */
export function parseJsonArgument(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The caller says what was expected; the parser's own words would not help more.
    return undefined;
  }
}

export function jsonArgumentProblem(json: string): string {
  return `The arguments must be a JSON object, for example '{"message":"hi"}'; got ${json.trim() === '' ? 'nothing' : json.slice(0, 100)}`;
}
