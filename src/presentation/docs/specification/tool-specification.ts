import type {
  SecurityNotes,
  ToolDefinition,
  ToolSpecificationNotes,
} from '../../../application/tool/tool-definition.js';
import { TOOL_ERROR_TYPES, type ToolErrorKind } from '../../../domain/tool/tool-error.js';
import { envelopeSchema } from '../envelope-schema.js';
import { type SchemaRow, schemaRows } from '../schema-markdown.js';
import { usageText } from '../tool-description.js';
import { CONTENT_FORM, ENVELOPE_FORM, failureForm, textForm } from './answer-forms.js';
import { outputRows, textRows } from './output-rows.js';

/** When each kind of failure comes, for every tool alike. */
const COMMON_ERRORS: readonly (readonly [ToolErrorKind, string])[] = [
  ['invalid-input', 'an argument is missing, unknown or not as its schema says; every problem is listed'],
  ['permission-denied', 'the policy does not allow the call; `reason` says which kind of rule'],
  ['consent-required', 'the policy wants a person to agree and nobody did'],
  ['timeout', 'the call took longer than it may'],
  ['limit-exceeded', 'the answer or an argument is over a limit'],
  ['unavailable', 'too many calls, or the tool failed repeatedly; `retry_after_ms` says when to try again'],
  ['execution', 'the tool failed in a way it can explain and that has no narrower type'],
  ['cancelled', 'the caller cancelled the call'],
  ['disabled', 'the tool is switched off here'],
  ['not-found', 'the caller may not see the tool; unless `error_style` is `rpc`, a JSON-RPC error -32602'],
  ['internal', 'a bug or a broken dependency; `correlation_id` finds it in the log of the server'],
];

export const SECURITY_LABELS: readonly (readonly [keyof SecurityNotes, string])[] = [
  ['files', 'Files'],
  ['network', 'Network'],
  ['execution', 'Code execution'],
  ['changes', 'Data changes'],
  ['secrets', 'Secrets'],
];

/** The specification of one tool in its eight sections; `policyLines`: what the policy in force adds to the last. */
export function specifyTool(definition: ToolDefinition, policyLines: readonly string[] = []): string {
  const notes = definition.specification;
  return [
    `### ${definition.name}`,
    `Version ${definition.version}`,
    ...section('Tool Purpose and Description', purpose(definition)),
    ...section('Invocation Name', `\`${definition.name}\``),
    ...section('Input Schema (Parameters)', [
      rowsTable(inputRows(definition, notes)),
      jsonBlock(definition.input),
    ]),
    ...section('Output Schema (Return Value)', output(definition, notes)),
    ...section('Error Handling', errors(definition, notes)),
    ...section('Idempotency', idempotency(definition)),
    ...section('Usage Examples (for MCP context)', examples(definition)),
    ...section('Security Considerations', [...security(definition, notes), ...policyLines]),
  ].join('\n\n');
}

/** The whole file, a chapter a category. */
export function specifyTools(
  definitions: readonly ToolDefinition[],
  protocolVersions: readonly string[],
): string {
  const categories = [...new Set(definitions.map(({ category }) => category))].sort();
  const chapters = categories.flatMap((category) => [
    `## ${category}`,
    ...definitions
      .filter((definition) => definition.category === category)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((definition) => specifyTool(definition)),
  ]);
  const head = [
    '# Castellan: MCP tool specification',
    'Generated from the definitions by `castellan docs`; do not edit. Each tool has a version of its own: a breaking change raises its major number.',
    `The protocol has its own versions, apart from the tools': ${protocolVersions.join(', ')}. Clients of 2026-07-28 find the server with \`server/discover\` and have no session; the others begin with \`initialize\`.`,
  ];
  return `${[...head, ...chapters].join('\n\n')}\n`;
}

function section(title: string, body: string | readonly string[]): readonly string[] {
  return [`#### ${title}`, ...(typeof body === 'string' ? [body] : body)];
}

function purpose({ summary, description, explicitAction }: ToolDefinition): readonly string[] {
  const consent =
    explicitAction === undefined
      ? []
      : [`REQUIRES EXPLICIT USER INSTRUCTION: \`explicit_action\` must be \`${explicitAction}\`.`];
  return [summary, ...consent, description];
}

/** The example of an argument: the schema's own, else the one of a call that is shown below. */
function inputRows(
  { input, examples: calls }: ToolDefinition,
  notes: ToolSpecificationNotes | undefined,
): readonly SchemaRow[] {
  return schemaRows(input).map((row) => {
    const shown = calls.map(({ arguments: args }) => args[row.name]).find((value) => value !== undefined);
    const example = row.example ?? JSON.stringify(shown ?? notes?.arguments?.[row.name]);
    return { ...row, example };
  });
}

function output(definition: ToolDefinition, notes: ToolSpecificationNotes | undefined): readonly string[] {
  const { output: value, outputText = 'MCP content blocks.' } = definition;
  if (value === undefined) {
    return [
      outputText,
      CONTENT_FORM,
      rowsTable(textRows(outputText, notes?.answer)),
      jsonBlock(contentSchema(outputText)),
    ];
  }
  return [
    ...textForm(definition, notes?.answer),
    ENVELOPE_FORM,
    rowsTable(outputRows(value, notes?.answer)),
    jsonBlock(envelopeSchema(value)),
  ];
}

/** The CallToolResult of a tool that answers with content. */
function contentSchema(description: string): object {
  const block = {
    type: 'object',
    properties: {
      type: {
        enum: ['text', 'image', 'audio', 'resource', 'resource_link'],
        description: 'The kind of block.',
      },
      text: { type: 'string', description: 'Of a text block.' },
    },
    required: ['type'],
  };
  const isError = { type: 'boolean', description: 'Absent or false for an answer; true for a failure.' };
  const content = { type: 'array', items: block, description };
  return { type: 'object', properties: { content, isError }, required: ['content'] };
}

/** Each type once; the words that are nearest to the tool win. */
function errors(definition: ToolDefinition, notes: ToolSpecificationNotes | undefined): readonly string[] {
  const { errors: own = [] } = definition;
  const kinds = Object.values(TOOL_ERROR_TYPES);
  const common = COMMON_ERRORS.map(([kind, when]) => ({ type: TOOL_ERROR_TYPES[kind].type, when }));
  const rows = new Map([...common, ...(notes?.errors ?? []), ...own].map(({ type, when }) => [type, when]));
  const table = [...rows].map(([type, when]) => {
    const code = kinds.find((known) => known.type === type)?.code ?? TOOL_ERROR_TYPES.execution.code;
    return `| \`${type}\` | ${code} | ${cell(when)} |`;
  });
  return [
    ...failureForm(definition),
    ['| error_type | error_code | when |', '| --- | --- | --- |', ...table].join('\n'),
  ];
}

function security(
  { security: words }: ToolDefinition,
  notes: ToolSpecificationNotes | undefined,
): readonly string[] {
  if (notes === undefined) return [words];
  const lines = SECURITY_LABELS.map(([key, label]) => `- **${label}:** ${notes.security[key]}`);
  return [words, lines.join('\n')];
}

function idempotency({ idempotency: own, effects }: ToolDefinition): string {
  if (own !== undefined) return own;
  if (effects.readOnly) return 'Yes. It changes nothing; calling it again shows the state of that moment.';
  return effects.idempotent
    ? 'Yes. Calling it again with the same arguments changes nothing more.'
    : 'No. Each call has its own effect.';
}

function examples(definition: ToolDefinition): readonly string[] {
  const { name, examples: all } = definition;
  return [
    usageText(definition),
    ...all.flatMap(({ title, arguments: args }) => [
      `${title}:`,
      jsonBlock({ tool_name: name, arguments: args }),
    ]),
  ];
}

function rowsTable(rows: readonly SchemaRow[]): string {
  if (rows.length === 0) return 'No parameters.';
  const lines = rows.map(
    ({ name, type, required, description, example }) =>
      `| \`${name}\` | ${cell(type)} | ${required ? 'Yes' : 'No'} | ${cell(description)} | ${example === undefined ? '' : `\`${cell(example)}\``} |`,
  );
  return [
    '| Name | Type | Required | Description | Example |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
}
