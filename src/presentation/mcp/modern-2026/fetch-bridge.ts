import type { HttpExchange } from '../http/http-exchange.js';

/** The path and the host were checked before and mean nothing to the SDK. */
const ADDRESS = 'http://localhost/mcp';

/** The request as the SDK wants it: without its body, which has been read. */
export function requestOf(exchange: HttpExchange, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of exchange.headers()) {
    if (name.startsWith('mcp-') || name === 'content-type' || name === 'accept') headers.set(name, value);
  }
  return new Request(ADDRESS, { method: exchange.method, headers, signal });
}

/** Sends what the SDK answered; resolves when all of it has left, or nobody reads it any more. */
export async function answerWith(exchange: HttpExchange, response: Response): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (response.body === null || !headers['content-type']?.startsWith('text/event-stream')) {
    exchange.send(response.status, headers, await response.text());
    return;
  }
  const sink = exchange.stream({ ...headers, 'x-accel-buffering': 'no' });
  const reader = response.body.getReader();
  // Cancelling the body cancels the call.
  sink.onclose = () => void reader.cancel().catch(() => undefined);
  const decoder = new TextDecoder();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!sink.write(decoder.decode(part.value, { stream: true }))) {
      await reader.cancel();
      return;
    }
  }
  sink.end();
}
