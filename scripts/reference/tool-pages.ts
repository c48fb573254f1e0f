import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import { schemaRows } from '../../src/presentation/docs/schema-markdown.js';
import { code, pageOf, table } from './markdown.js';

/** A page per category, and an index of all tools. */
export function toolPages(definitions: readonly ToolDefinition[]): ReadonlyMap<string, string> {
  const names = [...new Set(definitions.map(({ category }) => category))];
  const categories = new Map(
    names.map((name) => [name, definitions.filter(({ category }) => category === name)]),
  );
  const pages = [...categories].map(
    ([category, tools]) => [`docs/reference/tools/${category}.md`, categoryPage(category, tools)] as const,
  );
  return new Map([...pages, ['docs/reference/tools/README.md', indexPage(categories)]]);
}

function indexPage(categories: ReadonlyMap<string, readonly ToolDefinition[]>): string {
  const rows = [...categories].flatMap(([category, tools]) =>
    tools.map(({ name, summary }) => [`[${code(name)}](${category}.md#${name})`, category, summary]),
  );
  const purpose =
    'Every tool by category. [MCP_TOOL_SPECIFICATION.md](../../../MCP_TOOL_SPECIFICATION.md) has the complete schemas, results, errors and security notes.';
  return pageOf('Tools', purpose, [table(['tool', 'category', 'purpose'], rows)]);
}

function categoryPage(category: string, tools: readonly ToolDefinition[]): string {
  const purpose = `The tools of the category *${category}*. [All tools](README.md) · [complete schemas](../../../MCP_TOOL_SPECIFICATION.md)`;
  return pageOf(`Tools: ${category}`, purpose, tools.map(section));
}

function section(definition: ToolDefinition): string {
  const rows = schemaRows(definition.input).map((row) => [
    code(row.name),
    row.type,
    row.required ? 'yes' : '',
    row.description,
  ]);
  const [example] = definition.examples;
  return [
    `## ${definition.name}`,
    `${definition.summary} ${definition.description}`,
    `*${effectsOf(definition).join(', ')}*`,
    rows.length === 0 ? 'No arguments.' : table(['argument', 'type', 'required', 'meaning'], rows),
    ...(example === undefined ? [] : [exampleBlock(example.arguments)]),
  ].join('\n\n');
}

function effectsOf({ effects, explicitAction }: ToolDefinition): readonly string[] {
  const words = [
    effects.readOnly === true ? 'Changes nothing' : 'Changes something',
    ...(effects.destructive === true ? ['may destroy data'] : []),
    ...(effects.openWorld === true ? ['reaches outside the machine'] : []),
  ];
  return explicitAction === undefined
    ? words
    : [...words, `needs explicit_action: ${JSON.stringify(explicitAction)}`];
}

function exampleBlock(args: Readonly<Record<string, unknown>>): string {
  return ['```json', JSON.stringify(args, undefined, 2), '```'].join('\n');
}
