import type { ToolDefinition } from '../../../application/tool/tool-definition.js';
import { TOOL_ERROR_TYPES } from '../../../domain/tool/tool-error.js';
import type { ContentBlock } from '../../../domain/tool/tool-result.js';
import { successBlocks } from '../../answers/success-blocks.js';

const NOTES =
  'A `message` is a block with `audience: ["user"]`; an `instruction`, hints and how to go on are one with `audience: ["assistant"]`.';

/** What stands before the words of a tool that answers with content, in both styles. */
export const CONTENT_FORM = `Content blocks, with \`answers: text\` and \`answers: envelope\` alike. ${NOTES}`;

const TEXT_FORM = `**As text** (\`answers: text\`, the default over MCP): content blocks and no \`structuredContent\`. Blocks without \`annotations\` are the facts. ${NOTES}`;

export const ENVELOPE_FORM =
  '**As the envelope** (`answers: envelope`, or `"castellan/answers": "envelope"` in the `_meta` of a call; in process always): `structuredContent`, and the same object as JSON in the first block. Its `value` has these fields:';

/** How a structured answer reads as text, with the example that the fields below are explained with. */
export function textForm(definition: ToolDefinition, answer: unknown): readonly string[] {
  if (answer === undefined) return [TEXT_FORM];
  const { name, show, examples } = definition;
  const args = examples[0]?.arguments ?? {};
  const blocks = successBlocks({ name, args, show }, { success: true, status: 'success', value: answer });
  return [`${TEXT_FORM} An answer reads:`, ...blocks.map(fencedBlock)];
}

/** How a failure travels, in both styles. */
export function failureForm(definition: ToolDefinition): readonly string[] {
  const { type, code } = TOOL_ERROR_TYPES['invalid-input'];
  return [
    'A failure is a result with `isError: true`; with `error_style: rpc` it is a JSON-RPC error with the same code.',
    `**As text** its first block begins with \`error_type (error_code): \` and says what happened. A \`message\` follows in a block with \`audience: ["user"]\`, what to do next in one with \`audience: ["assistant"]\`. ${wrongCallOf(definition)} is answered with:`,
    fence(`${type} (${code}): ${wrongArgument(definition)}`),
    '**As the envelope** it has `status: "failure"`, `error_type`, `error_code`, `error_message` and, if there is more to say, `error_details`.',
  ];
}

function wrongCallOf({ input }: ToolDefinition): string {
  const [required] = input.required ?? [];
  return required === undefined ? 'A call with `no_such_argument`' : 'A call without arguments';
}

function wrongArgument({ input }: ToolDefinition): string {
  const { required = [] } = input;
  if (required.length === 0) return 'no_such_argument is not an argument of this tool';
  return required.map((name) => `${name} is required`).join('; ');
}

function fencedBlock(block: ContentBlock): string {
  const text = block.type === 'text' ? block.text : `[${block.type}]`;
  const [reader] = block.annotations?.audience ?? [];
  return reader === undefined ? fence(text) : `With \`audience: ["${reader}"]\`:\n\n${fence(text)}`;
}

function fence(text: string): string {
  return `\`\`\`text\n${text.replace(/\n$/, '')}\n\`\`\``;
}
