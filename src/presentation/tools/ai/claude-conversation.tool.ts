// How a tool is written: ../README.md
import * as Type from 'typebox';
import { ConverseHandler } from '../../../application/model/converse.js';
import { LanguageModel } from '../../../application/ports/model/language-model.js';
import { reachHost } from '../../../domain/permission/policy/permission-request.js';
import { Result } from '../../../domain/result.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { defineTool } from '../define-tool.js';
import { toolArguments } from '../tool-arguments.js';

const TOOL = 'claude_conversation';

export const claudeConversationTool = defineTool({
  name: TOOL,
  version: '1.0.0',
  category: 'ai',
  requires: 'model',
  tags: ['model'],
  summary: 'Ask a Claude model a question.',
  description:
    "Sends one message to a model and answers with its text. Use it for a second opinion or a task with instructions of its own; the model sees nothing but what you send. With ANTHROPIC_API_KEY set it uses the Anthropic API, otherwise the client's own model where the client lends it (sampling).",
  usage: 'Call with a message, and where needed with a system prompt, a model and a limit for the answer.',
  concise: {
    text: 'Ask a Claude model for a second opinion. It sees only what you send.',
    arguments: {
      message: 'The question to ask',
      model: 'Default: the one of the settings',
      system_prompt: 'Instructions for the model',
      max_tokens: 'Default 4096',
    },
  },
  examples: [
    { title: 'A plain question', arguments: { message: 'Name three sorting algorithms.' } },
    {
      title: 'With instructions and a short answer',
      arguments: {
        message: 'function add(a, b) { return a - b }',
        system_prompt: 'You review code. Answer in one sentence.',
        max_tokens: 200,
      },
    },
  ],
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  idempotency:
    'No. It changes nothing, but a repeated question is paid for again and may be answered differently.',
  errors: [
    { type: 'ModelUnavailableError', when: 'the API fails, is overloaded or cannot be reached' },
    { type: 'ModelAccessError', when: 'the API refuses the key' },
    {
      type: 'PermissionDeniedError',
      when: 'the policy does not allow the model, the length or the host, given or by default',
    },
    { type: 'LimitExceededError', when: "the call alone may cost more than the policy's token limit" },
    {
      type: 'ToolUnavailableError',
      when: "no key is set and the client lends no model, or the API's rate limit or the policy's token limit is reached",
    },
  ],
  security:
    'Sends the message and the system prompt to the Anthropic API, or to the model of the client: send no secrets. Costs money; the policy limits models, tokens and hosts. The key stays in the server and never appears in answers or logs.',
  outputText: "The text of the model's answer.",
  budget: { timeoutMs: 180_000 },
  whyLonger:
    'A model writes a long answer for minutes; the request itself gives up when nothing comes any more.',
  specification: {
    answer: 'Quicksort, merge sort and heapsort.',
    security: {
      files: 'None.',
      network:
        'Sends the message and the system prompt to the Anthropic API, or to the model that the client lends. `allowed_hosts` and `denied_hosts` of the policy decide which host it may reach.',
      execution: 'None: an answer is text. Do not run code from it unread.',
      changes:
        'None; but every call costs money. Limit it with `allowed_models`, `arguments.max_tokens` and `tokens` in the policy.',
      secrets:
        'Send no secrets and no personal data: they leave the machine. The API key is read from ANTHROPIC_API_KEY, stays in the server and is in no answer and no log.',
    },
  },
  input: toolArguments({
    message: Type.String({
      description: 'What to ask; 1 to 400000 characters.',
      minLength: 1,
      maxLength: 400_000,
      examples: ['Name three sorting algorithms.'],
    }),
    model: Type.Optional(
      Type.String({
        description: 'The name of the model; the one of the settings where absent.',
        minLength: 1,
        maxLength: 200,
        examples: ['claude-haiku-5-5'],
      }),
    ),
    system_prompt: Type.Optional(
      Type.String({
        description: 'Instructions the model gets before the message; none where absent.',
        maxLength: 100_000,
        examples: ['Answer in one sentence.'],
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        description:
          'The longest answer, in tokens; 1 to 64000, 4096 where neither this nor the settings say.',
        minimum: 1,
        maximum: 64_000,
        examples: [500],
      }),
    ),
  }),
  needs: { conversation: ConverseHandler, languageModel: LanguageModel },
  permissions: (_args, { languageModel }) =>
    languageModel?.host === undefined ? [] : [reachHost(languageModel.host)],
  run: async ({ message, model, system_prompt, max_tokens }, { conversation }, context) => {
    const answer = await conversation.handle(
      {
        tool: TOOL,
        message,
        ...(model !== undefined && { model }),
        ...(system_prompt !== undefined && { systemPrompt: system_prompt }),
        ...(max_tokens !== undefined && { maxTokens: max_tokens }),
      },
      context,
    );
    if (!answer.success) return answer;
    const text = ToolResult.text(answer.value.text);
    return answer.value.cut
      ? Result.ok(text, {
          instruction: 'The answer was cut at max_tokens. Ask for the rest, or raise max_tokens.',
        })
      : Result.ok(text);
  },
});
