import type { FileError } from '../../domain/file/file-error.js';
import { Instruction } from '../../domain/instruction.js';
import {
  callCancelled,
  executionFailed,
  limitExceeded,
  permissionDenied,
  type ToolError,
  toolFailure,
  toolUnavailable,
} from '../../domain/tool/tool-error.js';

const RETRY_MS = 200;
const NOT_THERE = `${Instruction.askForClarification('which path is meant')} Do not create it instead.`;
const ASK = 'Do not try to bypass this. Use another path, or tell the user which permission is missing.';

/**
 * Converts an error of the file system for the caller. A narrower type is about the caller's data, not a
 * fault of the tool.
 */
export function fileToolError(error: FileError): ToolError {
  const { message } = error;
  switch (error.kind) {
    case 'denied':
    case 'outside':
      return permissionDenied('DENIED_PATH', message, ASK);
    case 'hard-linked':
      return permissionDenied('PROTECTED', message, ASK);
    case 'not-found':
      return executionFailed(message, { type: 'NotFoundError', instruction: NOT_THERE });
    case 'not-a-directory':
      return executionFailed(message, { type: 'NotADirectoryError' });
    case 'is-a-directory':
      return executionFailed(message, { type: 'IsADirectoryError' });
    case 'not-empty':
      return executionFailed(message, { type: 'NotEmptyError' });
    case 'already-exists':
      return executionFailed(message, { type: 'AlreadyExistsError' });
    case 'special-file':
      return executionFailed(message, { type: 'SpecialFileError' });
    case 'no-permission':
    case 'read-only':
      return executionFailed(message, { type: 'SystemPermissionError' });
    case 'invalid-path':
    case 'name-too-long':
    case 'too-many-links':
      return executionFailed(message, { type: 'InvalidPathError' });
    case 'no-state':
      return executionFailed(message, { type: 'StateUnavailableError' });
    case 'too-large':
      return limitExceeded(message);
    case 'busy':
    case 'too-many-open':
      return toolUnavailable('BUSY', message, RETRY_MS);
    case 'exchanged':
      return executionFailed(message, { type: 'ExchangedError' });
    case 'no-space':
    case 'io':
      return executionFailed(message);
    case 'cancelled':
      return callCancelled();
  }
}

export function fileFailure(error: FileError) {
  return toolFailure(fileToolError(error));
}
