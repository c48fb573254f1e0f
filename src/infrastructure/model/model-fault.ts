import { isJsonObject } from '../../domain/json-value.js';
import { executionFailed, type ToolError } from '../../domain/tool/tool-error.js';

/** Why a question was not answered, and whether asking again may help. */
export interface ModelFault {
  readonly error: ToolError;
  readonly passing: boolean;
  readonly retryAfterMs?: number;
}

interface Circumstances {
  readonly model: string;
  /** True if a part of the answer had arrived. */
  readonly begun: boolean;
  readonly clean: (text: string) => string;
}

const MAX_QUOTED = 300;

/** Judged by the shape of the SDK's errors: the SDK is loaded lazily, so its classes are not available. */
export function describeModelFault(thrown: unknown, circumstances: Circumstances): ModelFault {
  const { status, type, headers } = shapeOf(thrown);
  const said = saidBy(thrown, circumstances.clean);
  const retryAfterMs = retryAfter(headers);
  const again = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429 || type === 'rate_limit_error') {
    const message = `The model's rate limit is reached${said}. Wait before asking again.`;
    const error: ToolError = { kind: 'unavailable', reason: 'RATE_LIMITED', message, ...again };
    return { passing: !circumstances.begun, error, ...again };
  }
  const passing = !circumstances.begun && isPassing(status, type, thrown);
  return { passing, error: describe(status, type, said, thrown, circumstances), ...again };
}

function isPassing(status: number | undefined, type: string | undefined, thrown: unknown): boolean {
  if (status !== undefined) return status >= 500 || status === 408 || status === 409;
  if (type !== undefined) return type === 'overloaded_error' || type === 'api_error';
  return thrown instanceof Error && thrown.name === 'APIConnectionError';
}

function describe(
  status: number | undefined,
  type: string | undefined,
  said: string,
  thrown: unknown,
  { model }: Circumstances,
): ToolError {
  const unavailable = { type: 'ModelUnavailableError' };
  if (status === 401 || status === 403) {
    return executionFailed(`The API refused the key${said}. Check ANTHROPIC_API_KEY of the server.`, {
      type: 'ModelAccessError',
      instruction: 'Tell the user; do not retry.',
    });
  }
  if (status === 404)
    return executionFailed(`There is no model ${model.slice(0, 100)} here${said}. Name another one.`);
  if (status === 529 || type === 'overloaded_error')
    return executionFailed(`The model is overloaded${said}. Ask again later.`, unavailable);
  if (status !== undefined && status < 500 && status !== 408 && status !== 409) {
    return executionFailed(`The API refused the question (${status})${said}. Change it before asking again.`);
  }
  if (status !== undefined || type !== undefined)
    return executionFailed(`The API failed (${status ?? type})${said}. Ask again later.`, unavailable);
  const name = thrown instanceof Error ? thrown.name : 'unknown fault';
  if (name === 'APIConnectionTimeoutError')
    return executionFailed('The API did not begin to answer in time. Ask again later.', unavailable);
  if (name === 'APIConnectionError') {
    return executionFailed(
      'The API cannot be reached. Check the network, and ANTHROPIC_BASE_URL where it is set.',
      unavailable,
    );
  }
  return executionFailed('The answer broke off or could not be understood. Ask again.', unavailable);
}

interface ErrorShape {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Headers;
}

function shapeOf(thrown: unknown): ErrorShape {
  if (!(thrown instanceof Error)) return {};
  return {
    ...('status' in thrown && typeof thrown.status === 'number' && { status: thrown.status }),
    ...('type' in thrown && typeof thrown.type === 'string' && { type: thrown.type }),
    ...('headers' in thrown && thrown.headers instanceof Headers && { headers: thrown.headers }),
  };
}

/** The API's own sentence, without the key, in brackets. */
function saidBy(thrown: unknown, clean: (text: string) => string): string {
  const body = thrown instanceof Error && 'error' in thrown ? thrown.error : undefined;
  const inner = isJsonObject(body) && isJsonObject(body.error) ? body.error.message : undefined;
  if (typeof inner !== 'string' || inner === '') return '';
  const line = clean(inner).replaceAll(/\s+/g, ' ').slice(0, MAX_QUOTED);
  return ` (it says: ${line})`;
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const millis = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (millis >= 0) return millis;
  const given = headers?.get('retry-after') ?? '';
  const seconds = Number.parseFloat(given);
  const wait = seconds >= 0 ? seconds * 1000 : Date.parse(given) - Date.now();
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}
