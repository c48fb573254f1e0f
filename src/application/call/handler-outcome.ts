import { isJsonObject, toJsonValue } from '../../domain/json-value.js';
import { Failure, type FailureNotes, type Page, Success, type SuccessNotes } from '../../domain/result.js';
import { asError } from '../../domain/thrown.js';
import {
  codeOfType,
  errorCodeOf,
  errorTypeOf,
  executionFailed,
  isToolError,
  type ToolError,
} from '../../domain/tool/tool-error.js';
import type { ToolOutcome } from './runnable-tool.js';

const MAX_TEXT = 64 * 1024;
/** Space for the note about a cut. */
const NOTE_LENGTH = 64;
const MAX_DETAILS = 64 * 1024;
const MAX_TYPE = 100;

/**
 * The members that a result may have. An object with any other member is a plain value that happens to have
 * `success`.
 */
const PARTS = new Set([
  'success',
  'status',
  'value',
  'notes',
  'page',
  'message',
  'instruction',
  'error',
  'errorType',
  'error_message',
  'error_type',
  'error_code',
  'error_details',
  'exception',
  'exception_type',
  'exception_message',
]);

type Parts = Readonly<Record<string, unknown>>;

/**
 * Reads what a handler returned, which in JavaScript may be anything: a Result of this or another copy of the
 * package, its plain form, or a bare value, which counts as a success. Throws for values that cannot be read,
 * and for an Error that was returned instead of thrown.
 */
export function readOutcome(returned: unknown): ToolOutcome {
  if (returned instanceof Success) return new Success(returned.value, successNotes(returned.notes));
  if (returned instanceof Failure) return readFailure({ ...returned });
  if (returned instanceof Error) throw returned;
  if (!isResultLike(returned)) return new Success(returned);
  const notes = isJsonObject(returned.notes) ? returned.notes : returned;
  return returned.success === true ? new Success(returned.value, successNotes(notes)) : readFailure(returned);
}

function isResultLike(value: unknown): value is Parts & { readonly success: boolean } {
  if (!isJsonObject(value) || typeof value.success !== 'boolean') return false;
  return Object.keys(value).every((key) => PARTS.has(key));
}

function successNotes(notes: SuccessNotes | Parts): SuccessNotes {
  const { message, instruction, page, refused } = notes;
  return {
    ...(typeof message === 'string' && { message: cut(message) }),
    ...(typeof instruction === 'string' && { instruction: cut(instruction) }),
    ...(isPage(page) && { page }),
    ...(typeof refused === 'number' && { refused }),
  };
}

function isPage(page: unknown): page is Page {
  return isJsonObject(page) && typeof page.truncated === 'boolean' && toJsonValue(page, MAX_DETAILS).success;
}

/** Keeps the failure that a tool returned, with its type, message and exception, in limited size. */
function readFailure(parts: Parts): Failure<ToolError> {
  const { error: reason, notes } = parts;
  const given = { ...parts, ...(isJsonObject(notes) && notes) };
  const type = typeOf(parts.errorType ?? parts.error_type);
  const known = isToolError(reason) ? reason : undefined;
  const error: ToolError = known ?? executionFailed(reasonText(reason), type === undefined ? {} : { type });
  const failureNotes = readNotes(given, error, known === undefined ? codeOfType(type) : errorCodeOf(known));
  return new Failure({ ...error, message: cut(error.message) }, type ?? errorTypeOf(error), failureNotes);
}

function readNotes(given: Parts, error: ToolError, usualCode: number): FailureNotes {
  const { message, instruction = error.instruction } = given;
  const code = given.code ?? given.error_code;
  const details = toJsonValue(given.details ?? given.error_details, MAX_DETAILS);
  const exception = exceptionOf(given);
  return {
    code: Number.isSafeInteger(code) ? Number(code) : usualCode,
    ...(details.success && isJsonObject(details.value) && { details: details.value }),
    ...(typeof message === 'string' && { message: cut(message) }),
    ...(typeof instruction === 'string' && { instruction: cut(instruction) }),
    ...(exception && { exception }),
  };
}

function exceptionOf({ exception, exception_type, exception_message }: Parts): Error | undefined {
  if (exception !== undefined && exception !== null) return asError(exception);
  if (typeof exception_message !== 'string') return undefined;
  const error = new Error(cut(exception_message));
  if (typeof exception_type === 'string') error.name = cut(exception_type);
  return error;
}

function reasonText(reason: unknown): string {
  if (typeof reason === 'string' && reason.trim() !== '') return reason;
  if (isJsonObject(reason) || reason instanceof Error) return asError(reason).message;
  return 'The tool failed and gave no reason.';
}

/** A type is a name: one line of limited length. */
function typeOf(type: unknown): string | undefined {
  if (typeof type !== 'string' || type.length > MAX_TYPE) return undefined;
  return /^[\p{L}\p{N}][^\p{Cc}]*$/u.test(type) ? type : undefined;
}

/** Cutting a text that was already cut changes nothing. */
function cut(text: string): string {
  return text.length > MAX_TEXT + NOTE_LENGTH ? `${text.slice(0, MAX_TEXT)}... [${text.length} chars]` : text;
}
