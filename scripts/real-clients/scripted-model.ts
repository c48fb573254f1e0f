import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** What clients told the model about our server. */
export interface Heard {
  /** Tools of ours in the list of the request, by the names that the client gave them. */
  readonly tools: ReadonlySet<string>;
  /** The model was given the answer of the call that it asked for. */
  readonly answered: boolean;
}

interface Dialect {
  readonly path: RegExp;
  /** Events that ask for a call, in the words of the API. */
  readonly call: (tool: string, args: string) => readonly object[];
  /** Events that say one word and end the turn. */
  readonly done: () => readonly object[];
  readonly named?: true;
}

const usage = { input_tokens: 1, output_tokens: 1 };

const ANTHROPIC: Dialect = {
  path: /\/v1\/messages(?:\?|$)/,
  named: true,
  call: (name, args) =>
    anthropic({ type: 'tool_use', id: 'toolu_1', name, input: {} }, 'tool_use', {
      type: 'input_json_delta',
      partial_json: args,
    }),
  done: () => anthropic({ type: 'text', text: '' }, 'end_turn', { type: 'text_delta', text: 'done' }),
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
  call: (tool, args) => {
    const [namespace, name] = tool.includes('/') ? tool.split('/') : [undefined, tool];
    return responses({
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: args,
    });
  },
  done: () =>
    responses({
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'done' }],
    }),
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
  call: (name, args) =>
    completions(
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: args } }] },
      'tool_calls',
    ),
  done: () => completions({ content: 'done' }, 'stop'),
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
  call: (name, args) => gemini({ functionCall: { name, args: JSON.parse(args) } }),
  done: () => gemini({ text: 'done' }),
};

function gemini(part: object): readonly object[] {
  return [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }] }];
}

const DIALECTS = [ANTHROPIC, RESPONSES, COMPLETIONS, GEMINI];

/**
 * Stands in for the model of a client, on loopback: asks for the call of one of our tools,
 * and ends the turn when it has been given the answer. Keeps what it heard.
 */
export class ScriptedModel {
  readonly #tools = new Set<string>();
  #answered = false;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  constructor(
    private readonly tool: string,
    private readonly args: object,
    private readonly expected: string,
  ) {}

  async listen(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The model has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  get heard(): Heard {
    return { tools: this.#tools, answered: this.#answered };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const dialect = DIALECTS.find(({ path }) => path.test(request.url ?? ''));
    if (dialect === undefined || request.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const given: unknown = JSON.parse(body);
    const names = toolNames(given);
    for (const name of names) if (name.includes('castellan')) this.#tools.add(name);
    // Clients have tools of their own, and give ours the name of the server.
    const own = names.find((name) => name.includes('castellan') && name.endsWith(this.tool));
    // The answer comes back as part of the conversation, not of the list of tools.
    const conversation = JSON.stringify(given, (key, value) => (key === 'tools' ? undefined : value));
    const answered = conversation.includes(this.expected);
    this.#answered ||= answered;
    const events =
      own === undefined || answered ? dialect.done() : dialect.call(own, JSON.stringify(this.args));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const name = dialect.named && 'type' in event ? `event: ${event.type}\n` : '';
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(dialect === COMPLETIONS ? 'data: [DONE]\n\n' : '');
  }
}

/** The names of the tools in a request, wherever an API puts them; those in a namespace with its name before them. */
function toolNames(given: unknown): readonly string[] {
  const listed = objectOf(given).tools;
  return Array.isArray(listed) ? listed.flatMap((entry) => namesIn(entry)) : [];
}

function namesIn(entry: unknown): readonly string[] {
  const { name, function: inner, functionDeclarations, tools } = objectOf(entry);
  if (Array.isArray(functionDeclarations)) return functionDeclarations.flatMap((one) => namesIn(one));
  if (Array.isArray(tools)) return tools.flatMap((one) => namesIn(one).map((own) => `${name}/${own}`));
  if (inner !== undefined) return namesIn(inner);
  return typeof name === 'string' ? [name] : [];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
