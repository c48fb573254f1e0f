import { TURN_CHARACTERS, type Turns } from '../../../application/ports/system/turns.js';
import { PARSE_ERROR } from '../surface/json-rpc.js';
import { valueExcess } from '../surface/message-bounds.js';
import type { HttpExchange } from './http-exchange.js';
import type { Refusal } from './http-guards.js';

/** Characters that take long enough to be read for others to notice. */
const LONG_MESSAGE = 32 * 1024;

/** undefined: the client has gone. */
export type Parsed = { readonly value: unknown } | { readonly refusal: Refusal } | undefined;

/** The JSON of a request, if it is no more than a message may be. */
export async function readMessage(exchange: HttpExchange, maxBytes: number, turns: Turns): Promise<Parsed> {
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
      return why === undefined ? { value: body.value } : tooMuch(why);
    }
    case 'text':
      // One long message a turn: whoever else calls is answered in between.
      if (body.text.length > LONG_MESSAGE) await turns.take(TURN_CHARACTERS);
      return parse(body.text);
  }
}

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { refusal: { status: 400, code: PARSE_ERROR, message: 'Parse error: the body is not JSON.' } };
  }
}

function tooMuch(why: string): Parsed {
  return { refusal: { status: 413, message: `Payload Too Large: ${why}.` } };
}
