import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import type { ToolInputSchema } from '../../domain/tool/tool-input-schema.js';
import { envelopeSchema } from './envelope-schema.js';
import { type SchemaRow, schemaRows } from './schema-markdown.js';

const COMMON_ERRORS: readonly (readonly [string, string])[] = [
  [
    'ToolValidationError',
    'an argument is missing, unknown or not as its schema says; every problem is listed',
  ],
  ['PermissionDeniedError', 'the policy does not allow the call; `reason` says which kind of rule'],
  ['ConsentRequiredError', 'the policy wants a person to agree and nobody did'],
  ['ToolTimeoutError', 'the call took longer than it may'],
  ['LimitExceededError', 'the answer or an argument is over a limit'],
  [
    'ToolUnavailableError',
    'too many calls, or the tool failed repeatedly; `retry_after_ms` says when to come again',
  ],
];

const ERROR_CODES: Readonly<Record<string, number>> = {
  ToolNotFoundError: -32001,
  ToolDisabledError: -32004,
  ToolExecutionError: -32005,
  ToolTimeoutError: -32006,
  ToolValidationError: -32602,
  PermissionDeniedError: -32007,
  ConsentRequiredError: -32008,
  LimitExceededError: -32009,
  ToolUnavailableError: -32010,
};

/** The specification of one tool in its eight sections. */
export function specifyTool(definition: ToolDefinition): string {
  return [
    `### ${definition.name}`,
    `Version ${definition.version}`,
    ...section('Tool Purpose and Description', purpose(definition)),
    ...section('Invocation Name', `\`${definition.name}\``),
    ...section('Input Schema (Parameters)', [
      rowsTable(schemaRows(definition.input)),
      jsonBlock(definition.input),
    ]),
    ...section('Output Schema (Return Value)', output(definition)),
    ...section('Error Handling', errors(definition)),
    ...section('Idempotency', idempotency(definition)),
    ...section('Usage Examples (for MCP context)', examples(definition)),
    ...section('Security Considerations', definition.security),
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
      .map(specifyTool),
  ]);
  const head = [
    '# Castellan: MCP tool specification',
    'Generated from the definitions by `castellan docs`; do not edit. Each tool has a version of its own: a breaking change raises its major number.',
    `The protocol has its own version, apart from the tools': ${protocolVersions.join(', ')}.`,
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

function output({ output: value, outputText }: ToolDefinition): readonly string[] {
  if (value === undefined) {
    const schema = {
      type: 'array',
      items: { type: 'object', required: ['type'] },
      description: outputText ?? 'MCP content blocks',
    };
    return [
      `Content, not structured: ${outputText ?? 'MCP content blocks.'}`,
      '| Field | Type | Description | Example |\n| --- | --- | --- | --- |\n| `content[0].text` | string | The answer as plain text. | see above |',
      jsonBlock({ type: 'object', properties: { content: schema }, required: ['content'] }),
    ];
  }
  const rows = hasProperties(value) ? schemaRows(value) : [];
  return [
    'Structured: the envelope below, as `structuredContent` and as JSON text. `value` holds:',
    rows.length > 0 ? rowsTable(rows) : 'A list or map as the schema says.',
    jsonBlock(envelopeSchema(value)),
  ];
}

function hasProperties(schema: object): schema is Pick<ToolInputSchema, 'properties' | 'required'> {
  return 'properties' in schema;
}

function errors({ errors: own = [] }: ToolDefinition): readonly string[] {
  const rows = [...own.map(({ type, when }) => [type, when] as const), ...COMMON_ERRORS];
  const table = rows.map(
    ([type, when]) => `| \`${type}\` | ${ERROR_CODES[type] ?? ERROR_CODES.ToolExecutionError} | ${when} |`,
  );
  return [
    'A failure is a result with `isError` and the envelope: `status` is `failure`, with `error_type`, `error_code`, `error_message` and, where there is more to say, `error_details`.',
    ['| error_type | error_code | when |', '| --- | --- | --- |', ...table].join('\n'),
  ];
}

function idempotency({ idempotency: own, effects }: ToolDefinition): string {
  if (own !== undefined) return own;
  if (effects.readOnly) return 'Yes. It changes nothing; calling it again shows the state of that moment.';
  return effects.idempotent
    ? 'Yes. Calling it again with the same arguments changes nothing more.'
    : 'No. Each call has its own effect.';
}

function examples({ name, examples: all }: ToolDefinition): readonly string[] {
  return all.flatMap(({ title, arguments: args }) => [
    `${title}:`,
    jsonBlock({ tool_name: name, arguments: args }),
  ]);
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
