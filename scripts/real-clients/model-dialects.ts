/** How one API of a model speaks. */
export interface Dialect {
  readonly path: RegExp;
  /** Events that ask for the call with this number, in the words of the API. */
  readonly call: (tool: string, given: CallInput, number: number) => readonly object[];
  /** Events that say one word and end the turn. */
  readonly done: () => readonly object[];
  /** The answers of calls in a request, in order. */
  readonly answers: (request: unknown) => readonly string[];
  readonly named?: true;
  /** What ends a stream. */
  readonly end?: string;
}

interface CallInput {
  /** JSON. */
  readonly args: string;
  /** For a tool that takes text. */
  readonly input: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const usage = { input_tokens: 1, output_tokens: 1 };

const ANTHROPIC: Dialect = {
  path: /\/v1\/messages(?:\?|$)/,
  named: true,
  call: (name, { args }, number) =>
    anthropic({ type: 'tool_use', id: `toolu_${number}`, name, input: {} }, 'tool_use', {
      type: 'input_json_delta',
      partial_json: args,
    }),
  done: () => anthropic({ type: 'text', text: '' }, 'end_turn', { type: 'text_delta', text: 'done' }),
  answers: (request) =>
    entries(request, 'messages')
      .flatMap((message) => entries(message, 'content'))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textOf(content)),
};

function anthropic(block: object, stop: string, delta: object): readonly object[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop }, usage },
    { type: 'message_stop' },
  ];
}

const RESPONSES: Dialect = {
  path: /\/responses(?:\?|$)/,
  named: true,
  call: (tool, { args, input }, number) => {
    const [namespace, name] = tool.includes('/') ? tool.split('/') : [undefined, tool];
    const id = { id: `fc_${number}`, call_id: `call_${number}`, name };
    if (input !== undefined) return responses({ type: 'custom_tool_call', ...id, input });
    const inside = namespace !== undefined && { namespace };
    return responses({ type: 'function_call', ...id, ...inside, arguments: args });
  },
  done: () =>
    responses({
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'done' }],
    }),
  answers: (request) =>
    entries(request, 'input')
      .filter(({ type }) => type === 'function_call_output' || type === 'custom_tool_call_output')
      .map(({ output }) => textOf(output)),
};

function responses(item: object): readonly object[] {
  return [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: { id: 'resp_1', usage: { ...usage, total_tokens: 2 } },
    },
  ];
}

const COMPLETIONS: Dialect = {
  path: /\/chat\/completions(?:\?|$)/,
  end: 'data: [DONE]\n\n',
  call: (name, { args }, number) =>
    completions(
      {
        tool_calls: [
          { index: 0, id: `call_${number}`, type: 'function', function: { name, arguments: args } },
        ],
      },
      'tool_calls',
    ),
  done: () => completions({ content: 'done' }, 'stop'),
  answers: (request) =>
    entries(request, 'messages')
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content)),
};

function completions(delta: object, finish: string): readonly object[] {
  const chunk = (part: object, finish_reason: string | null) => ({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta: part, finish_reason }],
  });
  return [chunk({ role: 'assistant', ...delta }, null), chunk({}, finish)];
}

const GEMINI: Dialect = {
  path: /:(?:stream)?[gG]enerateContent/,
  call: (name, { args }) => gemini({ functionCall: { name, args: JSON.parse(args) } }),
  done: () => gemini({ text: 'done' }),
  answers: (request) =>
    entries(request, 'contents')
      .flatMap((content) => entries(content, 'parts'))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => textOf(objectOf(functionResponse).response)),
};

function gemini(part: object): readonly object[] {
  return [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }] }];
}

export const DIALECTS: readonly Dialect[] = [ANTHROPIC, RESPONSES, COMPLETIONS, GEMINI];

function entries(value: unknown, key: string): readonly Fields[] {
  const list = objectOf(value)[key];
  return Array.isArray(list) ? list.map((entry) => objectOf(entry)) : [];
}

/** Answers are text, or blocks with text in them. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((block) => textOf(objectOf(block).text ?? '')).join('\n');
  return JSON.stringify(content) ?? '';
}

export function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
