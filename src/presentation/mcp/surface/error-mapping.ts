import type { Envelope, Failure } from '../../../domain/result.js';
import { errorCodeOf, type ToolError } from '../../../domain/tool/tool-error.js';
import { ToolResult } from '../../../domain/tool/tool-result.js';
import { INVALID_PARAMS, type RpcError } from './json-rpc.js';
import { toWireResult, type WireAnswer } from './result-mapping.js';

/** How failures travel: as results the model can read, or as JSON-RPC errors with our own numbers. */
export type ErrorStyle = 'result' | 'rpc';

/** The one place that knows how an error travels. */
export function toWireError(failure: Failure<ToolError>, style: ErrorStyle): WireAnswer {
  const { error } = failure;
  const envelope = failure.toEnvelope();
  if (style === 'rpc') return { error: rpcError(envelope, envelope.error_code ?? errorCodeOf(error)) };
  switch (error.kind) {
    // The specification makes an unknown tool a protocol error.
    case 'not-found':
      return { error: rpcError(envelope, INVALID_PARAMS) };
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
      return { result: toWireResult(ToolResult.json(envelope)) };
  }
}

/** The error's own words are the message; everything else that the envelope has is its data. */
function rpcError(envelope: Envelope, code: number): RpcError {
  const { success: _, status, error = 'The call failed.', error_message, value, page, ...data } = envelope;
  return { code, message: error, data };
}
