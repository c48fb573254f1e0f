import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject } from '../../src/domain/json-value.js';

/** A tool call by name. */
export type PlannedCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** What a client told its model about one call. */
export interface ToldResult {
  readonly text: string;
  readonly failed: boolean;
}

/**
 * Answers as Anthropic's Messages API does: one call of the plan a turn, then "done". It shows what a real client
 * gives its model of our answers.
 */
export class ModelStandIn {
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #results: readonly ToldResult[] = [];

  constructor(private readonly plan: readonly PlannedCall[]) {}

  /** Resolves with its address on the loopback. */
  open(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${portOf(this.#server.address())}`);
      });
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The results in the last request. */
  get results(): readonly ToldResult[] {
    return this.#results;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === '' ? {} : JSON.parse(text);
    if (!isJsonObject(body) || !Array.isArray(body.messages) || request.url?.includes('count_tokens')) {
      response.setHeader('content-type', 'application/json').end('{"input_tokens":1}');
      return;
    }
    // Clients also ask for a title and the like, without tools.
    const asksForTools = Array.isArray(body.tools) && body.tools.length > 0;
    const results = body.messages.flatMap(resultsIn);
    if (asksForTools) this.#results = results;
    const next = asksForTools ? this.plan[results.length] : undefined;
    const block =
      next === undefined
        ? { type: 'text', text: 'done' }
        : { type: 'tool_use', id: `toolu_${results.length}`, name: next[0], input: next[1] };
    send(response, body.stream === true, block);
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('The stand-in does not listen.');
  return address.port;
}

function resultsIn(message: unknown): readonly ToldResult[] {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return [];
  return message.content.flatMap((block: unknown) =>
    isJsonObject(block) && block.type === 'tool_result'
      ? [{ text: textOf(block.content), failed: block.is_error === true }]
      : [],
  );
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isJsonObject(part) ? String(part.text) : '')).join('\n');
}

type Block =
  | { readonly type: string; readonly text: string }
  | { readonly type: string; readonly id: string; readonly name: string; readonly input: unknown };

function send(response: ServerResponse, streamed: boolean, block: Block): void {
  const reason = 'text' in block ? 'end_turn' : 'tool_use';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stand-in', usage };
  if (!streamed) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...message, content: [block], stop_reason: reason }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const event = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const [begun, delta] =
    'text' in block
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  event('content_block_start', { index: 0, content_block: begun });
  event('content_block_delta', { index: 0, delta });
  event('content_block_stop', { index: 0 });
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 1 } });
  event('message_stop', {});
  response.end();
}
