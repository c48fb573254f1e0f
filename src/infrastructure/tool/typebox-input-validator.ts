import { inject, injectable } from 'inversify';
import type { ArgumentValues } from '../../application/call/runnable-tool.js';
import { TURN_CHARACTERS, Turns } from '../../application/ports/system/turns.js';
import type { InputValidator } from '../../application/ports/tool/input-validator.js';
import { ArgumentDefaults } from '../../application/tool/argument-defaults.js';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { inputWork } from '../../domain/tool/input-size.js';
import type { Tool } from '../../domain/tool/tool.js';
import { invalidInput, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';
import { describeProblems, MAX_ERRORS } from './input-problems.js';

interface CompiledSchema {
  check(value: unknown): boolean;
  problems(value: unknown): ReturnType<typeof describeProblems>;
}

type Defaults = Readonly<Record<string, unknown>>;

/** As JSON writes it, and short enough to be exact. */
const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;

/** Each schema is compiled at its first use, once; the compiler itself is loaded then. */
@injectable()
export class TypeboxInputValidator implements InputValidator {
  readonly #compiled = new WeakMap<ToolInputSchema, CompiledSchema>();

  readonly #defaults = new WeakMap<Tool, Defaults>();

  constructor(
    @inject(ArgumentDefaults) private readonly settings: ArgumentDefaults,
    @inject(Turns) private readonly turns: Turns,
  ) {}

  async check(tool: Tool, input: unknown): Promise<Result<ArgumentValues, ToolError>> {
    const schema = this.#compiled.get(tool.inputSchema) ?? (await this.#compile(tool.inputSchema));
    const rest = (): Promise<void> => this.turns.take(inputWork(input, TURN_CHARACTERS));
    if (schema.check(input) && isJsonObject(input)) return Result.ok(deepFreeze(this.complete(tool, input)));
    const values = withNumbers(tool.inputSchema, input);
    if (values !== undefined) {
      await rest();
      if (schema.check(values)) return Result.ok(deepFreeze(this.complete(tool, values)));
    }
    await rest();
    return toolFailure(invalidInput(schema.problems(input)));
  }

  complete(tool: Tool, input: ArgumentValues): ArgumentValues {
    const defaults = this.#defaultsOf(tool);
    const values: Record<string, unknown> = { ...defaults, ...input };
    // JSON has no undefined, but an embedder's object may.
    for (const key in defaults) if (values[key] === undefined) values[key] = defaults[key];
    return values;
  }

  #defaultsOf(tool: Tool): Defaults {
    const known = this.#defaults.get(tool);
    if (known !== undefined) return known;
    const defaults = { ...defaultsOf(tool.inputSchema), ...this.settings[tool.name] };
    this.#defaults.set(tool, defaults);
    return defaults;
  }

  async #compile(schema: ToolInputSchema): Promise<CompiledSchema> {
    const [{ Compile }, { Settings }] = await Promise.all([
      import('typebox/compile'),
      import('typebox/system'),
    ]);
    const validator = Compile(schema);
    const compiled: CompiledSchema = {
      check: (value) => validator.Check(value),
      problems: (value) => {
        // TypeBox stops at eight errors unless told otherwise, and its settings belong to the whole process.
        const { maxErrors } = Settings.Get();
        Settings.Set({ maxErrors: MAX_ERRORS });
        try {
          return describeProblems(schema, value, validator.Errors(value));
        } finally {
          Settings.Set({ maxErrors });
        }
      },
    };
    this.#compiled.set(schema, compiled);
    return compiled;
  }
}

/**
 * Some models write `"offset": "10"`: where only a whole number is taken, its digits can mean nothing else. undefined: there
 * is no such argument.
 */
function withNumbers({ properties = {} }: ToolInputSchema, input: unknown): ArgumentValues | undefined {
  if (!isJsonObject(input)) return undefined;
  const numbers = Object.entries(properties).flatMap(([key, property]) => {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    const isInteger = 'type' in property && property.type === 'integer';
    return isInteger && typeof value === 'string' && WHOLE_NUMBER.test(value) ? [[key, Number(value)]] : [];
  });
  return numbers.length === 0 ? undefined : { ...input, ...Object.fromEntries(numbers) };
}

function defaultsOf(schema: ToolInputSchema): Defaults {
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    properties.flatMap(([key, property]) => ('default' in property ? [[key, property.default]] : [])),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
