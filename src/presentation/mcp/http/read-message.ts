import { PARSE_ERROR } from '../surface/json-rpc.js';
import { valueExcess } from '../surface/message-bounds.js';
import type { HttpExchange } from './http-exchange.js';
import type { Refusal } from './http-guards.js';
import type { LongMessages } from './long-messages.js';

/** undefined: the client has gone. */
export type Parsed =
  | { readonly value: unknown; readonly length: number }
  | { readonly refusal: Refusal }
  | undefined;

/** The JSON of a request, if it is no more than a message may be. */
export async function readMessage(
  exchange: HttpExchange,
  maxBytes: number,
  long: LongMessages,
): Promise<Parsed> {
  const body = await exchange.readBody(maxBytes);
  switch (body.kind) {
    case 'gone':
      return undefined;
    case 'too-large':
      return tooMuch(`a message may have at most ${maxBytes} bytes`);
    case 'too-much':
      return tooMuch(body.why);
    case 'parsed': {
      const why = valueExcess(body.value);
      return why === undefined ? { value: body.value, length: 0 } : tooMuch(why);
    }
    case 'bytes':
      await long.take(body.bytes.length);
      return parse(body.bytes);
  }
}

function parse(bytes: Uint8Array): Parsed {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return { value: JSON.parse(text), length: bytes.length };
  } catch {
    return { refusal: { status: 400, code: PARSE_ERROR, message: 'Parse error: the body is not JSON.' } };
  }
}

function tooMuch(why: string): Parsed {
  return { refusal: { status: 413, message: `Payload Too Large: ${why}.` } };
}
