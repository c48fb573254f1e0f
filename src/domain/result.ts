import { toJsonValue } from './json-value.js';

/** How to get the rest of a list that was cut. */
export interface Page {
  readonly truncated: boolean;
  readonly next_cursor?: string;
  readonly total?: number;
}

export interface SuccessNotes {
  /** For the user. */
  readonly message?: string;
  /** For the agent: what to do, or not to do, next. */
  readonly instruction?: string;
  readonly page?: Page;
  /** The number of parts that the policy refused. For the audit log; not shown in results. */
  readonly refused?: number;
}

export interface FailureNotes {
  readonly message?: string;
  readonly instruction?: string;
  readonly exception?: Error;
  readonly code?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The JSON shape of every structured result. Optional fields are present only if they have a value. */
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

  /**
   * The envelope as JSON. If the value cannot be JSON, it is the envelope of a failure that names the place.
   */
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

/** The return type of everything that may refuse: a value, or the reason why there is none. */
export type Result<T, E extends FailureReason = string> = Success<T> | Failure<E>;

export const Result = {
  ok<T>(value: T, notes?: SuccessNotes): Success<T> {
    return new Success(value, notes);
  },
  failure<E extends FailureReason>(error: E, errorType: string, notes?: FailureNotes): Failure<E> {
    return new Failure(error, errorType, notes);
  },
};
