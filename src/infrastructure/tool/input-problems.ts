import type { TLocalizedValidationError } from 'typebox/error';
import { isJsonObject } from '../../domain/json-value.js';
import { nearestNames } from '../../domain/nearest-names.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import { ownArgument } from '../../domain/tool/foreign-names.js';
import type { InputProblem } from '../../domain/tool/tool-error.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';
import { expectation } from './schema-in-words.js';

const MAX_PROBLEMS = 20;
const MAX_SHOWN = 60;
const MAX_NAME = 100;
const CLOSED = '/additionalProperties';

/** Errors worth gathering: a field may have several, and a union one a member. */
export const MAX_ERRORS = 10 * MAX_PROBLEMS;

/** Every problem, one a field, in words an agent can act on. */
export function describeProblems(
  schema: ToolInputSchema,
  input: unknown,
  errors: readonly TLocalizedValidationError[],
): readonly InputProblem[] {
  const problems = new Map<string, InputProblem>();
  for (const error of errors.slice(0, MAX_ERRORS)) {
    for (const problem of describe(schema, input, error)) {
      // The most telling error of a field comes first from the checker, except that a union repeats its members.
      if (!problems.has(problem.parameter_name) || error.keyword === 'anyOf') {
        problems.set(problem.parameter_name, problem);
      }
    }
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return [...problems.values()].slice(0, MAX_PROBLEMS);
}

function describe(
  schema: ToolInputSchema,
  input: unknown,
  error: TLocalizedValidationError,
): readonly InputProblem[] {
  const at = nameOf(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties
        .slice(0, MAX_PROBLEMS)
        .map((key) => missing(join(at, key), schemaAt(schema, error.schemaPath, key)));
    case 'additionalProperties':
      return error.params.additionalProperties
        .slice(0, MAX_PROBLEMS)
        .map((key) => unknownKey(schema, error.schemaPath, join(at, shortName(key))));
    case 'boolean':
      return [refusedByFalse(schema, input, error)];
    default:
      return [
        isEmptyRequired(schema, input, error)
          ? { ...missing(at, schemaAt(schema, error.schemaPath)), received: 'an empty text' }
          : wrongValue(at, schemaAt(schema, error.schemaPath), valueAt(input, error.instancePath), error),
      ];
  }
}

/** A closed object says `false` to each key it does not know; that is what the caller must hear. */
function refusedByFalse(
  schema: ToolInputSchema,
  input: unknown,
  { schemaPath, instancePath, ...error }: TLocalizedValidationError,
): InputProblem {
  const parts = segments(instancePath);
  const parent = instancePath.slice(0, instancePath.lastIndexOf('/'));
  const name = join(nameOf(parent), shortName(parts.at(-1) ?? ''));
  if (schemaPath.endsWith(CLOSED)) return unknownKey(schema, schemaPath.slice(0, -CLOSED.length), name);
  return wrongValue(name, undefined, valueAt(input, instancePath), { ...error, schemaPath, instancePath });
}

/** An empty required text is as good as none. */
function isEmptyRequired(
  schema: ToolInputSchema,
  input: unknown,
  { keyword, schemaPath, instancePath }: TLocalizedValidationError,
): boolean {
  if (keyword !== 'minLength' || valueAt(input, instancePath) !== '') return false;
  const parent = schemaAt(schema, schemaPath.replace(/\/properties\/[^/]+$/, ''));
  const required = isJsonObject(parent) && Array.isArray(parent.required) ? parent.required : [];
  return required.includes(segments(instancePath).at(-1));
}

function missing(name: string, property: unknown): InputProblem {
  return {
    parameter_name: name,
    issue: `${name} is required`,
    expected: expectation(property),
    received: 'nothing',
    hint: hintFrom(property) ?? `Give ${name} a value.`,
  };
}

function unknownKey(schema: ToolInputSchema, schemaPath: string, name: string): InputProblem {
  const known = propertiesAt(schema, schemaPath);
  const key = name.slice(name.lastIndexOf('.') + 1);
  const [nearest] = nearestNames(key, known);
  return {
    parameter_name: name,
    issue: `${name} is not an argument of this tool`,
    expected: known.length > 0 ? `only ${known.join(', ')}` : 'no arguments',
    received: name,
    hint:
      ownArgument(key, known) ?? (nearest === undefined ? leaveOut(name, known) : `Did you mean ${nearest}?`),
  };
}

function leaveOut(name: string, known: readonly string[]): string {
  return `Leave ${name} out; the tool takes ${known.length === 0 ? 'no arguments' : known.join(', ')}.`;
}

function wrongValue(
  name: string,
  property: unknown,
  value: unknown,
  error: TLocalizedValidationError,
): InputProblem {
  const expected = expectation(property) || error.message;
  return {
    parameter_name: name === '' ? 'arguments' : name,
    issue: `${name === '' ? 'arguments' : name} must be ${expected}`,
    expected,
    received: show(value),
    hint: hintFrom(property) ?? `Pass ${expected}.`,
  };
}

/** `/edits/0/old_text` becomes `edits[0].old_text`. */
function nameOf(pointer: string): string {
  return segments(pointer).reduce(
    (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : join(name, part)),
    '',
  );
}

function join(parent: string, key: string): string {
  return parent === '' ? key : `${parent}.${key}`;
}

/** A name that somebody made up may be megabytes long. */
function shortName(key: string): string {
  return key.length <= MAX_NAME ? key : `${key.slice(0, MAX_NAME)}...`;
}

function segments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .filter((part) => part !== '' && part !== '#')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(root: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)];
    return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, root);
}

function schemaAt(schema: ToolInputSchema, schemaPath: string, property?: string): unknown {
  return valueAt(schema, property === undefined ? schemaPath : `${schemaPath}/properties/${property}`);
}

function propertiesAt(schema: ToolInputSchema, schemaPath: string): readonly string[] {
  const parent = schemaAt(schema, schemaPath);
  return isJsonObject(parent) && isJsonObject(parent.properties) ? Object.keys(parent.properties) : [];
}

function hintFrom(property: unknown): string | undefined {
  return isJsonObject(property) && typeof property.description === 'string'
    ? property.description
    : undefined;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(previewArguments(value)) ?? typeof value;
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${typeOf(value)})` : text;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
