import {
  errorCodeOf,
  errorDetailsOf,
  errorTypeOf,
  type ToolError,
  toolFailure,
} from '../../domain/tool/tool-error.js';
import { ToolResult } from '../../domain/tool/tool-result.js';
import { INVALID_PARAMS, type RpcError } from './json-rpc.js';
import { toWireResult, type WireAnswer } from './result-mapping.js';

/** How failures travel: as results the model can read, or as JSON-RPC errors with our own numbers. */
export type ErrorStyle = 'result' | 'rpc';

/** The one place that knows how an error travels. */
export function toWireError(error: ToolError, style: ErrorStyle): WireAnswer {
  if (style === 'rpc') return { error: rpcError(error, errorCodeOf(error)) };
  switch (error.kind) {
    // The specification makes an unknown tool a protocol error.
    case 'not-found':
      return { error: rpcError(error, INVALID_PARAMS) };
    // Everything else is a result, so that the model sees it and can correct itself.
    case 'disabled':
    case 'invalid-input':
    case 'permission-denied':
    case 'consent-required':
    case 'timeout':
    case 'cancelled':
    case 'limit-exceeded':
    case 'unavailable':
    case 'execution':
    case 'internal':
      return { result: toWireResult(ToolResult.json(toolFailure(error).toEnvelope())) };
  }
}

function rpcError(error: ToolError, code: number): RpcError {
  const details = errorDetailsOf(error);
  return {
    code,
    message: error.message,
    data: {
      error_type: errorTypeOf(error),
      error_code: errorCodeOf(error),
      ...(details && { error_details: details }),
    },
  };
}
