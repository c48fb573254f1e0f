import { Failure, type FailureNotes } from '../result.js';

/** Stable codes for why a call was refused; policies, tests and clients rely on them. */
export type ReasonCode =
  | 'UNKNOWN_TOOL'
  | 'DISABLED'
  | 'ROLE'
  | 'ARGUMENT'
  | 'UNPARSEABLE'
  | 'SHELL_SYNTAX'
  | 'HAZARDOUS_ARGUMENT'
  | 'PROTECTED'
  | 'DENIED_PATH'
  | 'DENIED_COMMAND'
  | 'NO_ALLOW'
  | 'CONSENT_REQUIRED'
  | 'CONSENT_UNAVAILABLE'
  | 'CONSENT_PENDING'
  | 'RATE_LIMITED'
  | 'BREAKER_OPEN'
  | 'BUSY'
  | 'SANDBOX_UNAVAILABLE'
  | 'AUDIT_UNAVAILABLE';

/** One problem of one argument. */
export interface InputProblem {
  readonly parameter_name: string;
  readonly issue: string;
  readonly expected: string;
  readonly received: string;
  readonly hint: string;
}

export type ToolErrorKind =
  | 'not-found'
  | 'disabled'
  | 'invalid-input'
  | 'permission-denied'
  | 'consent-required'
  | 'timeout'
  | 'cancelled'
  | 'limit-exceeded'
  | 'unavailable'
  | 'execution'
  | 'internal';

export type ConsentReason = Extract<ReasonCode, `CONSENT_${string}`>;

interface ErrorContext {
  readonly message: string;
  readonly tool?: string;
  readonly arguments?: unknown;
  readonly instruction?: string;
  readonly exception?: Error;
}

interface ErrorParts {
  readonly 'not-found': { readonly suggestions: readonly string[] };
  readonly disabled: { readonly reason: 'DISABLED' };
  readonly 'invalid-input': { readonly problems: readonly InputProblem[] };
  readonly 'permission-denied': { readonly reason: ReasonCode };
  /** `approval`: the id of a question that is still open, for CONSENT_PENDING. */
  readonly 'consent-required': { readonly reason: ConsentReason; readonly approval?: string };
  /** `chosenByCaller`: the caller asked for less time than the policy allows. */
  readonly timeout: { readonly timeoutMs: number; readonly chosenByCaller?: boolean };
  readonly cancelled: object;
  readonly 'limit-exceeded': { readonly reason?: ReasonCode };
  /** Without a reason: the session itself is not open. */
  readonly unavailable: { readonly reason?: ReasonCode; readonly retryAfterMs?: number };
  /** `type` names a narrower failure, such as NotFoundError, under the same code. */
  readonly execution: { readonly correlationId?: string; readonly type?: string };
  readonly internal: { readonly correlationId: string };
}

/** Every way a call can fail. A closed list: a new one is a new member here and a case in every switch. */
export type ToolError = {
  [Kind in ToolErrorKind]: { readonly kind: Kind } & ErrorContext & ErrorParts[Kind];
}[ToolErrorKind];

type ErrorOf<Kind extends ToolErrorKind> = Extract<ToolError, { kind: Kind }>;

/** Every error_type with its code, by kind. A narrower type has the code of `execution`. */
export const TOOL_ERROR_TYPES: Readonly<Record<ToolErrorKind, { type: string; code: number }>> = {
  'not-found': { type: 'ToolNotFoundError', code: -32001 },
  disabled: { type: 'ToolDisabledError', code: -32004 },
  execution: { type: 'ToolExecutionError', code: -32005 },
  timeout: { type: 'ToolTimeoutError', code: -32006 },
  'invalid-input': { type: 'ToolValidationError', code: -32602 },
  'permission-denied': { type: 'PermissionDeniedError', code: -32007 },
  'consent-required': { type: 'ConsentRequiredError', code: -32008 },
  'limit-exceeded': { type: 'LimitExceededError', code: -32009 },
  unavailable: { type: 'ToolUnavailableError', code: -32010 },
  cancelled: { type: 'CancelledError', code: -32011 },
  internal: { type: 'InternalError', code: -32603 },
};

export function errorTypeOf(error: ToolError): string {
  return error.kind === 'execution' && error.type !== undefined
    ? error.type
    : TOOL_ERROR_TYPES[error.kind].type;
}

export function errorCodeOf(error: ToolError): number {
  return TOOL_ERROR_TYPES[error.kind].code;
}

const CODES: ReadonlyMap<string, number> = new Map(
  Object.values(TOOL_ERROR_TYPES).map(({ type, code }) => [type, code]),
);

/** The code of a failure with a type of the tool's own: that of the same name, else that of `execution`. */
export function codeOfType(type: string | undefined): number {
  return (type === undefined ? undefined : CODES.get(type)) ?? TOOL_ERROR_TYPES.execution.code;
}

export function isToolErrorKind(kind: string): kind is ToolErrorKind {
  return Object.hasOwn(TOOL_ERROR_TYPES, kind);
}

/** Returns true if a handler written in JavaScript returned one of our errors. */
export function isToolError(value: unknown): value is ToolError {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('message' in value))
    return false;
  const { kind, message } = value;
  if (typeof kind !== 'string' || !isToolErrorKind(kind) || typeof message !== 'string') return false;
  return kind !== 'invalid-input' || ('problems' in value && Array.isArray(value.problems));
}

/** The machine-readable part of the envelope; undefined if there is nothing to add. */
export function errorDetailsOf(error: ToolError): Readonly<Record<string, unknown>> | undefined {
  const details: Record<string, unknown> = {};
  if ('reason' in error && error.reason !== undefined) details.reason = error.reason;
  if (error.kind === 'consent-required' && error.approval !== undefined) details.approval = error.approval;
  if ('retryAfterMs' in error && error.retryAfterMs !== undefined)
    details.retry_after_ms = error.retryAfterMs;
  if ('correlationId' in error && error.correlationId !== undefined)
    details.correlation_id = error.correlationId;
  if (error.kind === 'invalid-input') {
    details.parameter_name = error.problems[0]?.parameter_name;
    details.issue = error.problems[0]?.issue;
    details.problems = error.problems;
  }
  return Object.keys(details).length === 0 ? undefined : details;
}

/** A failed Result with the error and everything that the envelope shows of it. */
export function toolFailure(error: ToolError): Failure<ToolError> {
  const details = errorDetailsOf(error);
  const notes: FailureNotes = {
    code: errorCodeOf(error),
    ...(details && { details }),
    ...(error.instruction !== undefined && { instruction: error.instruction }),
    ...(error.exception && { exception: error.exception }),
  };
  return new Failure(error, errorTypeOf(error), notes);
}

/** Adds the call to an error. Arguments must already be safe for a log. */
export function withToolContext(error: ToolError, tool: string, args: unknown): ToolError {
  return { ...error, tool, arguments: args };
}

export function toolNotFound(name: string, suggestions: readonly string[] = []): ErrorOf<'not-found'> {
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(' or ')}?` : '';
  return {
    kind: 'not-found',
    message: `Unknown tool: ${name}.${hint} Call tools/list for the available tools.`,
    suggestions,
  };
}

export function toolDisabled(name: string): ErrorOf<'disabled'> {
  return {
    kind: 'disabled',
    reason: 'DISABLED',
    message: `The tool ${name} is switched off here. Use another tool, or ask the operator to enable it.`,
  };
}

export function invalidInput(problems: readonly InputProblem[]): ErrorOf<'invalid-input'> {
  const message = problems.map((problem) => problem.issue).join('; ');
  return { kind: 'invalid-input', message, problems };
}

export function permissionDenied(
  reason: ReasonCode,
  message: string,
  instruction?: string,
): ErrorOf<'permission-denied'> {
  return { kind: 'permission-denied', reason, message, ...(instruction !== undefined && { instruction }) };
}

export function consentRequired(
  reason: ConsentReason,
  message: string,
  approval?: string,
): ErrorOf<'consent-required'> {
  return { kind: 'consent-required', reason, message, ...(approval !== undefined && { approval }) };
}

export function toolTimedOut(timeoutMs: number, message?: string): ErrorOf<'timeout'> {
  return {
    kind: 'timeout',
    timeoutMs,
    message:
      message ??
      `Tool execution timed out after ${timeoutMs / 1000}s. Ask for less in one call, or raise the limit in the policy.`,
  };
}

export function callCancelled(): ErrorOf<'cancelled'> {
  return { kind: 'cancelled', message: 'The call was cancelled by the caller.' };
}

export function limitExceeded(message: string): ErrorOf<'limit-exceeded'> {
  return { kind: 'limit-exceeded', message };
}

export function toolUnavailable(
  reason: ReasonCode,
  message: string,
  retryAfterMs?: number,
): ErrorOf<'unavailable'> {
  return { kind: 'unavailable', reason, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A failure that the tool expected and can explain. */
export function executionFailed(
  message: string,
  parts: Partial<ErrorOf<'execution'>> = {},
): ErrorOf<'execution'> {
  return { ...parts, kind: 'execution', message };
}

/** A bug or a broken dependency: the caller gets only the id under which the log has the cause. */
export function internalFault(correlationId: string): ErrorOf<'internal'> {
  return {
    kind: 'internal',
    correlationId,
    message: `Internal error. The operator finds the cause in the log under ${correlationId}.`,
  };
}
