import { isJsonObject } from '../../domain/json-value.js';

/** Parses the arguments of a tool; undefined if the text is not a JSON object. */
export function parseJsonArgument(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The caller says what was expected; the parser's own message would not help.
    return undefined;
  }
}

export function jsonArgumentProblem(json: string): string {
  return `The arguments must be a JSON object, for example '{"message":"hi"}'; got ${json.trim() === '' ? 'nothing' : json.slice(0, 100)}`;
}
