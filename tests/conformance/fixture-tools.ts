import { setTimeout as sleep } from 'node:timers/promises';
import type { FormField, ToolContext } from '../../src/application/call/tool-context.js';
import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import { Result } from '../../src/domain/result.js';
import { type ContentBlock, ToolResult } from '../../src/domain/tool/tool-result.js';
import { definition } from '../support/sample-tool.js';

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

type Args = Readonly<Record<string, unknown>>;
type Answer = string | readonly ContentBlock[] | { readonly error: string };

export function tool(
  name: string,
  answer: (context: ToolContext, args: Args) => Answer | Promise<Answer>,
  properties: Readonly<Record<string, object>> = {},
): ToolDefinition {
  return definition({
    name,
    description: `The referee's ${name}.`,
    examples: [{ title: 'A call', arguments: {} }],
    input: { type: 'object', properties, additionalProperties: false, required: Object.keys(properties) },
    run: async (args, _needs, context) => {
      const given = await answer(context, { ...args });
      if (typeof given === 'string') return Result.ok(ToolResult.text(given));
      if ('error' in given) throw new Error(given.error);
      return Result.ok(ToolResult.of([...given]));
    },
  });
}

export const text = (description: string) => ({ type: 'string', description });

const DEFAULTS: Readonly<Record<string, FormField>> = {
  name: { type: 'string', description: 'User name', default: 'John Doe' },
  age: { type: 'integer', description: 'User age', default: 30 },
  score: { type: 'number', description: 'User score', default: 95.5 },
  status: {
    type: 'string',
    description: 'Status',
    enum: ['active', 'inactive', 'pending'],
    default: 'active',
  },
  verified: { type: 'boolean', description: 'Verified', default: true },
};

const titled = (...values: string[]) =>
  values.map((value, index) => ({ const: value, title: `Option ${index + 1}` }));
const ENUMS: Readonly<Record<string, FormField>> = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('value1', 'value2', 'value3') } },
};

async function ask(
  context: ToolContext,
  message: string,
  fields: Readonly<Record<string, FormField>>,
): Promise<string> {
  const answer = await context.elicit({ message, fields });
  return JSON.stringify(answer);
}

/** The tools that the official referee wants of every server. */
export const fixtureTools: readonly ToolDefinition[] = [
  tool('test_simple_text', () => 'This is a simple text response for testing.'),
  tool('test_image_content', () => [IMAGE]),
  tool('test_audio_content', () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', () => [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  tool('test_multiple_content_types', () => [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ]),
  tool('test_tool_with_logging', async (context) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      context.log('info', message);
      await sleep(50);
    }
    return 'Done';
  }),
  tool('test_error_handling', () => ({ error: 'This tool intentionally returns an error for testing' })),
  tool('test_tool_with_progress', async (context) => {
    for (const step of [0, 50, 100]) {
      context.progress(step, 100);
      await sleep(50);
    }
    return 'Done';
  }),
  tool(
    'test_sampling',
    async (context, { prompt }) => {
      const messages = [{ role: 'user', content: { type: 'text', text: String(prompt) } }] as const;
      const answer = await context.sample({ messages, maxTokens: 100 });
      return `LLM response: ${answer.action === 'answer' ? answer.text : answer.why}`;
    },
    { prompt: text('What to ask.') },
  ),
  tool(
    'test_elicitation',
    async (context, { message }) =>
      `User response: ${await ask(context, String(message), {
        username: { type: 'string', description: 'Name' },
        email: { type: 'string', description: 'Address' },
      })}`,
    { message: text('What to ask.') },
  ),
  tool(
    'test_elicitation_sep1034_defaults',
    async (context) => `Elicitation completed: ${await ask(context, 'Defaults', DEFAULTS)}`,
  ),
  tool(
    'test_elicitation_sep1330_enums',
    async (context) => `Elicitation completed: ${await ask(context, 'Enums', ENUMS)}`,
  ),
  tool('test_reconnection', async (context) => {
    context.closeStream();
    await sleep(100);
    return 'Reconnection test completed successfully.';
  }),
  definition({
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    examples: [{ title: 'A call', arguments: {} }],
    input: Object.assign(
      {
        type: 'object' as const,
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false as const,
      },
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }, { maxProperties: 0 }] }],
        if: { required: ['address'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { maxProperties: 2 },
        else: { maxProperties: 1 },
        $defs: {
          address: {
            $anchor: 'address',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
      },
    ),
  }),
];
