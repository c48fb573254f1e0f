import type { ServiceIdentifier } from 'inversify';
import type { JsonValue } from '../../../domain/json-value.js';

/** Takes secrets out of what is shown or kept. Never counted as a control: it finds known shapes only. */
export interface Redactor {
  text(text: string): string;
  /** Every string of it, and every value under a secret key name such as `password`, whatever its type. */
  value(value: unknown): JsonValue;
}

export const Redactor: ServiceIdentifier<Redactor> = Symbol.for('castellan.Redactor');

/** The same for results, where the policy asks for it: what it takes out leaves a mark that no tool writes back. */
export interface ResultRedactor {
  text(text: string): string;
}

export const ResultRedactor: ServiceIdentifier<ResultRedactor> = Symbol.for('castellan.ResultRedactor');
