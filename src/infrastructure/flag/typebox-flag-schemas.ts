import type { FlagSchemas } from '../../application/ports/flag/flag-schemas.js';
import type { FlagName, FlagValue } from '../../domain/flag/flag.js';
import { Result } from '../../domain/result.js';

const MAX_SCHEMA_SHOWN = 500;

/** JSON Schemas for flags, by name. The compiler is loaded when one of these flags is set. */
export class TypeboxFlagSchemas implements FlagSchemas {
  readonly #schemas: ReadonlyMap<string, object>;

  constructor(schemas: Readonly<Record<string, object>>) {
    this.#schemas = new Map(Object.entries(schemas));
  }

  async check(name: FlagName, value: FlagValue): Promise<Result<void>> {
    const schema = this.#schemas.get(name);
    if (schema === undefined) return Result.ok(undefined);
    const { Compile } = await import('typebox/compile');
    const validator = Compile(schema);
    if (validator.Check(value)) return Result.ok(undefined);
    const problems = validator
      .Errors(value)
      .map(({ instancePath, message }) => `${instancePath === '' ? 'the value' : instancePath} ${message}`);
    return Result.failure(
      `The flag ${name} may not hold this value: ${[...new Set(problems)].join('; ')}. ` +
        `Its schema in castellan.yaml is ${JSON.stringify(schema).slice(0, MAX_SCHEMA_SHOWN)}`,
      'InvalidFlag',
    );
  }
}
