import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';

/** TypeBox marks its schemas with this key; JSON Schema that embedders wrote has none. */
const TYPEBOX = '~kind';

/** Says what a definition lacks to be understood by a model. Returns undefined if nothing is missing. */
export function missingFromTool(definition: ToolDefinition): string | undefined {
  const { name, summary, description, usage, examples, input } = definition;
  const texts: Readonly<Record<string, unknown>> = { summary, description, usage };
  const empty = Object.keys(texts).filter((key) => isBlank(texts[key]));
  const missing = [
    ...empty.map((key) => `\`${key}\``),
    ...(Array.isArray(examples) && examples.length > 0
      ? []
      : ['`examples` (one call with real values at least)']),
    ...(isTypeBox(input) ? undescribedArguments(input).map(describing) : []),
  ];
  if (missing.length === 0) return undefined;
  return `The tool ${name} cannot be registered, because its definition lacks ${missing.join(', ')}. A model chooses and calls a tool by these texts; add them. docs/how-to/add-a-tool.md has a whole definition.`;
}

/** The warning about an embedder's own JSON Schema. Returns undefined if all is described or `strict` is false. */
export function undescribedInRawSchema({ name, input, strict = true }: ToolDefinition): string | undefined {
  const undescribed = strict && !isTypeBox(input) ? undescribedArguments(input) : [];
  if (undescribed.length === 0) return undefined;
  return `The JSON Schema of the tool ${name} lacks ${undescribed.map(describing).join(', ')}. Models guess what such arguments mean: describe them, or set \`strict: false\` in the definition to silence this warning.`;
}

function describing(argument: string): string {
  return `a description of the argument ${argument}`;
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

function isTypeBox(input: ToolInputSchema): boolean {
  return isJsonObject(input) && TYPEBOX in input;
}

/** By name, members too: `edits[].old_text`. */
function undescribedArguments(schema: unknown, prefix = ''): readonly string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    if (!isJsonObject(property)) return [path];
    return [
      ...(isBlank(property.description) ? [path] : []),
      ...undescribedArguments(property, `${path}.`),
      ...undescribedArguments(property.items, `${path}[].`),
    ];
  });
}
