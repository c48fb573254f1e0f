import { toJsonValue } from './json-value.js';

/** Where the rest of a cut list is. */
export interface Page {
  readonly truncated: boolean;
  readonly next_cursor?: string;
  readonly total?: number;
}

export interface SuccessNotes {
  /** For the person. */
  readonly message?: string;
  /** For the agent: what to do, or not to do, next. */
  readonly instruction?: string;
  readonly page?: Page;
  /** How many parts of what was asked the policy refused. For the audit log; no answer shows it. */
  readonly refused?: number;
}

export interface FailureNotes {
  readonly message?: string;
  readonly instruction?: string;
  readonly exception?: Error;
  readonly code?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The one JSON shape of every structured answer. An optional field is present only when it has a value. */
export interface Envelope {
  readonly success: boolean;
  readonly status: 'success' | 'failure';
  readonly value?: unknown;
  readonly page?: Page;
  readonly message?: string;
  readonly instruction?: string;
  readonly error?: string;
  readonly error_message?: string;
  readonly error_type?: string;
  readonly error_code?: number;
  readonly error_details?: Readonly<Record<string, unknown>>;
  readonly exception_type?: string;
  readonly exception_message?: string;
}

type FailureReason = string | { readonly message: string };

export class Success<T> {
  readonly success = true;

  constructor(
    readonly value: T,
    readonly notes: SuccessNotes = {},
  ) {}

  get message(): string | undefined {
    return this.notes.message;
  }

  get instruction(): string | undefined {
    return this.notes.instruction;
  }

  toEnvelope(): Envelope {
    const { message, instruction, page } = this.notes;
    return {
      success: true,
      status: 'success',
      ...(this.value === undefined ? {} : { value: this.value }),
      ...(page && { page }),
      ...(message !== undefined && { message }),
      ...(instruction !== undefined && { instruction }),
    };
  }

  /** The envelope as JSON. A value that JSON cannot hold makes it the envelope of a failure that names the place. */
  toJsonStr(): string {
    return jsonText(this.toEnvelope());
  }
}

export class Failure<E extends FailureReason = string> {
  readonly success = false;

  constructor(
    readonly error: E,
    readonly errorType: string,
    readonly notes: FailureNotes = {},
  ) {}

  get message(): string | undefined {
    return this.notes.message;
  }

  get instruction(): string | undefined {
    return this.notes.instruction;
  }

  toEnvelope(): Envelope {
    const { message, instruction, exception, code, details } = this.notes;
    const error = typeof this.error === 'string' ? this.error : this.error.message;
    return {
      success: false,
      status: 'failure',
      error,
      error_message: error,
      error_type: this.errorType,
      ...(code !== undefined && { error_code: code }),
      ...(details && { error_details: details }),
      ...(message !== undefined && { message }),
      ...(instruction !== undefined && { instruction }),
      ...(exception && { exception_type: exception.name, exception_message: exception.message }),
    };
  }

  toJsonStr(): string {
    return jsonText(this.toEnvelope());
  }
}

function jsonText(envelope: Envelope): string {
  const json = toJsonValue(envelope);
  if (json.success) return JSON.stringify(json.value);
  const problem = `The result cannot be sent: ${json.error}.`;
  return JSON.stringify(new Failure(problem, json.errorType).toEnvelope());
}

/** What anything that may refuse returns: a value, or the reason why there is none. */
export type Result<T, E extends FailureReason = string> = Success<T> | Failure<E>;

export const Result = {
  ok<T>(value: T, notes?: SuccessNotes): Success<T> {
    return new Success(value, notes);
  },
  failure<E extends FailureReason>(error: E, errorType: string, notes?: FailureNotes): Failure<E> {
    return new Failure(error, errorType, notes);
  },
};
