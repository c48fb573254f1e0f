import type { ServiceIdentifier } from 'inversify';
import type { JsonValue } from '../../../domain/json-value.js';

/** Removes secrets from what is shown or stored. Not a security control: it finds known shapes only. */
export interface Redactor {
  text(text: string): string;
  /** Redacts every string, and every value under a secret key name such as `password`, whatever its type. */
  value(value: unknown): JsonValue;
}

export const Redactor: ServiceIdentifier<Redactor> = Symbol.for('castellan.Redactor');

/**
 * The same for results, if the policy requires it: the placeholder is refused when written back to a file.
 */
export interface ResultRedactor {
  text(text: string): string;
}

export const ResultRedactor: ServiceIdentifier<ResultRedactor> = Symbol.for('castellan.ResultRedactor');
