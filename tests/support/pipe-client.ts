import { PassThrough } from 'node:stream';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { isJsonObject } from '../../src/domain/json-value.js';
import type { Caller } from '../../src/domain/session/caller.js';

export type Message = Readonly<Record<string, unknown>>;

/** A client at the other end of a pair of pipes. */
export class PipeClient {
  readonly notices: Message[] = [];
  readonly #input = new PassThrough();
  readonly #answers = new Map<unknown, (message: Message) => void>();
  readonly served: Promise<void>;
  #next = 1;

  constructor(castellan: Castellan, caller?: Caller) {
    const output = new PassThrough();
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(JSON.parse(line));
    });
    this.served = castellan.serve(this.#input, output, caller && { caller });
  }

  request(method: string, params: Message = {}): Promise<Message> {
    const id = this.#next++;
    this.#input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  async result(method: string, params: Message = {}): Promise<Message> {
    const { result, error } = await this.request(method, params);
    if (!isJsonObject(result)) throw new Error(JSON.stringify(error));
    return result;
  }

  async hangUp(): Promise<void> {
    this.#input.end();
    await this.served;
  }

  #receive(message: Message): void {
    if ('id' in message) this.#answers.get(message.id)?.(message);
    else this.notices.push(message);
  }
}
