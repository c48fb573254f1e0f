import { TOOL_ERROR_TYPES, type ToolError } from './tool-error.js';

const FAULT_TYPES: ReadonlySet<string> = new Set([
  TOOL_ERROR_TYPES.execution.type,
  TOOL_ERROR_TYPES.timeout.type,
  TOOL_ERROR_TYPES.internal.type,
]);

/**
 * Returns true for failures of the tool itself. A caller's mistakes and limits say nothing about its health.
 */
export function countsAsFault(error: ToolError): boolean {
  switch (error.kind) {
    // A narrower type, such as NotFoundError, is an answer about the caller's data.
    case 'execution':
      return error.type === undefined || FAULT_TYPES.has(error.type);
    case 'timeout':
      return error.chosenByCaller !== true;
    case 'internal':
      return true;
    case 'not-found':
    case 'disabled':
    case 'invalid-input':
    case 'permission-denied':
    case 'consent-required':
    case 'cancelled':
    case 'limit-exceeded':
    case 'unavailable':
      return false;
  }
}

/** Cancelled by its caller before the tool could succeed or fail: counts as neither. */
export function endedByCaller(error: ToolError): boolean {
  return error.kind === 'cancelled' || (error.kind === 'timeout' && error.chosenByCaller === true);
}
