import { isJsonObject } from '../../../domain/json-value.js';

export type RequestId = string | number;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: Readonly<Record<string, unknown>> }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId | null; readonly error: RpcError };

/** A response whose result is JSON text already; only ever sent. */
interface WrittenResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly resultJson: string;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse | WrittenResponse;

/** Takes a message to the client: the way back of one request, or of what belongs to none. */
export type Write = (message: RpcMessage) => Promise<void>;

/** A message as it goes over the wire. */
export function toJsonLine(message: RpcMessage): string {
  if (!('resultJson' in message)) return JSON.stringify(message);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${message.resultJson}}`;
}

/** The specification's own codes. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** What one JSON value from the wire turned out to be. */
export type Incoming =
  | { readonly kind: 'request'; readonly message: RpcRequest }
  | { readonly kind: 'notification'; readonly message: RpcNotification }
  | { readonly kind: 'response'; readonly message: RpcResponse & { readonly id: RequestId } }
  /** A response that answers nothing of ours: there is nobody to tell. */
  | { readonly kind: 'stray' }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly why: string };

/** What the SDK can be handed. */
export type ReadableMessage = Exclude<Incoming, { kind: 'invalid' | 'stray' }>;

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** A cheap look at the shape; what a method needs of its params is the method's business. */
export function classify(value: unknown): Incoming {
  if (!isJsonObject(value)) return invalid(null, 'a message is a JSON object');
  const { jsonrpc, id, method, params } = value;
  const known = isRequestId(id) ? id : null;
  if (jsonrpc !== '2.0') return invalid(known, 'jsonrpc must be "2.0"');
  if (method === undefined) return classifyResponse(value, known);
  if (typeof method !== 'string') return invalid(known, 'method must be a string');
  if (params !== undefined && !isJsonObject(params)) return invalid(known, 'params must be an object');
  const rest = params === undefined ? {} : { params };
  if (!('id' in value)) return { kind: 'notification', message: { jsonrpc, method, ...rest } };
  if (known === null) return invalid(null, 'id must be a string or a whole number');
  return { kind: 'request', message: { jsonrpc, id: known, method, ...rest } };
}

function classifyResponse(value: Readonly<Record<string, unknown>>, id: RequestId | null): Incoming {
  const { result, error } = value;
  if (id !== null && isJsonObject(result)) {
    return { kind: 'response', message: { jsonrpc: '2.0', id, result } };
  }
  if (isJsonObject(error) && typeof error.code === 'number' && typeof error.message === 'string') {
    if (id === null) return { kind: 'stray' };
    const told = { code: error.code, message: error.message, ...('data' in error && { data: error.data }) };
    return { kind: 'response', message: { jsonrpc: '2.0', id, error: told } };
  }
  // A response is never answered, however broken: its id is the client's business.
  if ('result' in value || 'error' in value) return { kind: 'stray' };
  return invalid(id, 'a message has a method, a result or an error');
}

function invalid(id: RequestId | null, why: string): Incoming {
  return { kind: 'invalid', id, why };
}

export function errorResponse(
  id: RequestId | null,
  code: number,
  message: string,
  data?: unknown,
): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
