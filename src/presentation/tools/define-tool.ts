import type { ServiceIdentifier } from 'inversify';
import type { Static, TObject } from 'typebox';
import type { HandlerOutcome } from '../../application/call/runnable-tool.js';
import type { ToolContext } from '../../application/call/tool-context.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';

export type Needs = Readonly<Record<string, ServiceIdentifier<unknown>>>;

export type Resolved<N extends Needs> = {
  readonly [Key in keyof N]: N[Key] extends ServiceIdentifier<infer Port> ? Port : never;
};

/** A TypeBox object, or JSON Schema written in place. */
export type ArgumentSchema = TObject | ToolInputSchema;

/** A definition whose handler is typed by its own schema and by the ports it names. */
export type TypedDefinition<Input extends ArgumentSchema, N extends Needs> = Omit<
  ToolDefinition,
  'name' | 'input' | 'needs' | 'permissions' | 'run'
> & {
  /** snake_case (default: the name of the `run` function). */
  readonly name?: string;
  readonly input: Input;
  readonly needs?: N;
  permissions?(args: Static<Input>, needs: Partial<Resolved<N>>): readonly PermissionRequest[];
  run(
    args: Static<Input>,
    needs: Resolved<N>,
    context: ToolContext,
  ): HandlerOutcome | Promise<HandlerOutcome>;
};

const NO_NEEDS: Needs = Object.freeze({});

/**
 * Defines a tool in one value: name, arguments, permissions and implementation. `input` is a TypeBox object
 * or plain JSON Schema written in place, which is sent to clients unchanged; both type the arguments. `run`
 * receives validated and frozen arguments; `needs` are ports of the container, resolved at the first call.
 */
export function defineTool<const Input extends ArgumentSchema, N extends Needs = Record<never, never>>(
  definition: TypedDefinition<Input, N>,
): ToolDefinition;
export function defineTool(
  definition: Omit<ToolDefinition, 'name' | 'needs'> & Partial<Pick<ToolDefinition, 'name' | 'needs'>>,
): ToolDefinition {
  return {
    ...definition,
    name: definition.name ?? toolNameOf(definition.run.name),
    needs: definition.needs ?? NO_NEEDS,
  };
}

/** `run: function readFile() {…}` is read_file; a function without a name of its own is called run. */
export function toolNameOf(functionName: string): string {
  if (functionName === 'run' || functionName === '') {
    throw new Error('A tool needs a name: give `name`, or make `run` a named function.');
  }
  return functionName.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
