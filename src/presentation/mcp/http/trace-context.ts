import { isJsonObject } from '../../../domain/json-value.js';
import type { HttpExchange } from './http-exchange.js';

const KEYS = ['traceparent', 'tracestate', 'baggage'] as const;

/** The message with the trace context of its headers in `_meta`, where the message has none of its own. */
export function withTraceContext(message: unknown, exchange: HttpExchange): unknown {
  if (exchange.header('traceparent') === undefined || !isJsonObject(message)) return message;
  const params = isJsonObject(message.params) ? message.params : {};
  const meta = isJsonObject(params._meta) ? params._meta : {};
  if (typeof message.method !== 'string' || 'traceparent' in meta) return message;
  const found = KEYS.flatMap((key) => {
    const value = exchange.header(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...message, params: { ...params, _meta: { ...meta, ...Object.fromEntries(found) } } };
}
