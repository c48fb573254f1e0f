import type { ToolContext } from '../../src/application/call/tool-context.js';
import type { ToolDefinition } from '../../src/application/tool/tool-definition.js';
import { definition } from '../support/sample-tool.js';
import { tool } from './fixture-tools.js';

export interface Changes {
  changeTools(): void;
  changePrompts(): void;
}

const userText = (text: string) => [{ role: 'user', content: { type: 'text', text } }] as const;

async function askName(context: ToolContext, key: string, message: string): Promise<string> {
  const answer = await context.elicit({
    key,
    message,
    fields: { name: { type: 'string' } },
    required: ['name'],
  });
  return answer.action === 'accept' ? String(answer.content.name) : answer.action;
}

async function confirm(context: ToolContext): Promise<string> {
  const answer = await context.elicit({
    message: 'Please confirm',
    fields: { ok: { type: 'boolean' } },
    required: ['ok'],
  });
  return answer.action;
}

/** The tools that the referee wants of servers of 2026-07-28. */
export function modernTools({ changeTools, changePrompts }: Changes): readonly ToolDefinition[] {
  return [
    tool('test_missing_capability', async (context) => {
      const messages = userText('Is anybody there?');
      const answer = await context.sample({ messages, maxTokens: 10, mandatory: true });
      return answer.action;
    }),
    tool('test_logging_tool', (context) => {
      context.log('info', 'logged');
      return 'Done';
    }),
    tool('test_streaming_elicitation', async (context) => {
      context.progress(1, 2);
      return confirm(context);
    }),
    tool('test_trigger_tool_change', () => {
      changeTools();
      return 'Done';
    }),
    tool('test_trigger_prompt_change', () => {
      changePrompts();
      return 'Done';
    }),
    tool('test_input_required_result_elicitation', async (context) => {
      return `Hello, ${await askName(context, 'user_name', 'What is your name?')}!`;
    }),
    tool('test_input_required_result_sampling', async (context) => {
      const messages = userText('What is the capital of France?');
      const answer = await context.sample({ key: 'capital_question', messages, maxTokens: 100 });
      return answer.action === 'answer' ? answer.text : answer.why;
    }),
    tool('test_input_required_result_list_roots', async (context) => {
      const answer = await context.roots({ key: 'client_roots' });
      return answer.action === 'answer' ? answer.roots.map(({ uri }) => uri).join('\n') : answer.why;
    }),
    tool(
      'test_input_required_result_request_state',
      async (context) => `state-ok: ${await confirm(context)}`,
    ),
    tool('test_input_required_result_tampered_state', confirm),
    tool('test_input_required_result_multiple_inputs', async (context) => {
      const answers = await Promise.all([
        askName(context, 'user_name', 'What is your name?'),
        context.sample({ key: 'greeting', messages: userText('Generate a greeting'), maxTokens: 50 }),
        context.roots({ key: 'client_roots' }),
      ]);
      return JSON.stringify(answers);
    }),
    tool('test_input_required_result_multi_round', async (context) => {
      const name = await askName(context, 'step1', 'Step 1: What is your name?');
      const colour = await context.elicit({
        key: 'step2',
        message: 'Step 2: What is your favorite color?',
        fields: { color: { type: 'string' } },
        required: ['color'],
      });
      return `${name}: ${JSON.stringify(colour)}`;
    }),
    tool('test_input_required_result_capabilities', async (context) => {
      const messages = userText('What can you do?');
      const [asked, sampled] = await Promise.all([
        confirm(context),
        context.sample({ messages, maxTokens: 10 }),
      ]);
      return `${asked}, ${sampled.action}`;
    }),
    definition({
      name: 'test_header_tool',
      description: 'A tool whose argument is mirrored into a header.',
      examples: [{ title: 'A call', arguments: {} }],
      input: {
        type: 'object',
        properties: { region: Object.assign({ type: 'string' }, { 'x-mcp-header': 'Region' }) },
        additionalProperties: false,
      },
    }),
  ];
}
