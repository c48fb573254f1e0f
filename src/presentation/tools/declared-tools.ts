import type { Static } from 'typebox';
import type { HandlerOutcome } from '../../application/call/runnable-tool.js';
import type { ToolContext } from '../../application/call/tool-context.js';
import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { isJsonObject } from '../../domain/json-value.js';
import {
  type ArgumentSchema,
  defineTool,
  type Needs,
  type Resolved,
  type TypedDefinition,
  toolNameOf,
} from './define-tool.js';

/**
 * On the global object, because a module may bring its own copy of this file: all copies share one
 * collection.
 */
const COLLECTION: unique symbol = Symbol.for('castellan.declared-tools');

type Collection = Map<string, ToolDefinition>;

const shared: typeof globalThis & { [COLLECTION]?: Collection } = globalThis;

function collection(): Collection {
  shared[COLLECTION] ??= new Map();
  return shared[COLLECTION];
}

/** The parameters and result of a tool's function. */
type Handler<Input extends ArgumentSchema, N extends Needs> = (
  args: Static<Input>,
  needs: Resolved<N>,
  context: ToolContext,
) => HandlerOutcome | Promise<HandlerOutcome>;

/** Declares the function it is applied to, and returns that function unchanged. */
interface ToolDecorator<Input extends ArgumentSchema, N extends Needs> {
  /** A function, or a static method with standard decorators. */
  <Run extends Handler<Input, N>>(run: Run, context?: ClassMethodDecoratorContext): Run;
  /** A static method with `experimentalDecorators`. */
  <Run extends Handler<Input, N>>(
    owner: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<Run>,
  ): void;
}

/**
 * For modules that register by being imported: adds a definition to the collection and returns it unchanged.
 * Without `run`, it is a decorator: `@declareTool({ … })` on a static method, or `declareTool({ … })(function
 * …)`. Every step is synchronous, so concurrent tasks cannot lose or duplicate a tool.
 */
export function declareTool(definition: ToolDefinition): ToolDefinition;
export function declareTool<const Input extends ArgumentSchema, N extends Needs = Record<never, never>>(
  details: Omit<TypedDefinition<Input, N>, 'run'>,
): ToolDecorator<Input, N>;
export function declareTool(definition: Declaration): unknown {
  if (isWhole(definition)) return declare(definition);
  return (first: unknown, second?: unknown, third?: unknown): unknown => {
    decorate({ first, second, third }, (bare, name) =>
      declare(defineTool({ ...definition, name: definition.name ?? toolNameOf(name), run: bare })),
    );
    return third === undefined ? first : undefined;
  };
}

type Run = ToolDefinition['run'];
type Declaration = Omit<ToolDefinition, 'name' | 'needs' | 'run'> &
  Partial<Pick<ToolDefinition, 'name' | 'needs' | 'run'>>;

function isWhole(declaration: Declaration): declaration is ToolDefinition {
  return declaration.run !== undefined;
}

function declare(definition: ToolDefinition): ToolDefinition {
  const declared = collection();
  if (declared.has(definition.name)) {
    throw new Error(`The tool ${definition.name} is declared twice; give one of the two another name.`);
  }
  declared.set(definition.name, definition);
  return definition;
}

/** Distinguishes the two kinds of decorators and a plain call by their arguments. */
function decorate(
  { first, second, third }: Readonly<Record<'first' | 'second' | 'third', unknown>>,
  found: (run: Run, name: string) => void,
): void {
  if (isJsonObject(third) && isRun(third.value)) {
    // For an instance method it is the prototype, which is not a function.
    if (typeof first !== 'function') throw new Error(NOT_STATIC);
    found(third.value.bind(first), String(second));
  } else if (!isRun(first)) throw new Error('@declareTool belongs on a static method or a function.');
  else if (!isMethodContext(second)) found(first, first.name);
  else if (!second.static) throw new Error(NOT_STATIC);
  // Once the class exists, `this` can be what a method expects.
  else
    second.addInitializer(function (this: unknown) {
      found(first.bind(this), String(second.name));
    });
}

function isMethodContext(value: unknown): value is ClassMethodDecoratorContext {
  return isJsonObject(value) && value.kind === 'method';
}

const NOT_STATIC = '@declareTool belongs on a static method: nobody makes an instance of the class to call.';

function isRun(value: unknown): value is Run {
  return typeof value === 'function';
}

/** Returns everything declared since the last call, by name; each tool is returned only once. */
export function getDeclaredTools(): Readonly<Record<string, ToolDefinition>> {
  const taken = Object.fromEntries(collection());
  collection().clear();
  return taken;
}

/** Puts tools back after a start that failed, for the next one. A tool declared since then stays. */
export function returnDeclaredTools(definitions: readonly ToolDefinition[]): void {
  const declared = collection();
  for (const definition of definitions)
    if (!declared.has(definition.name)) declared.set(definition.name, definition);
}
