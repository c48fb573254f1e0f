import { isJsonObject } from '../../domain/json-value.js';

type Fields = Readonly<Record<string, unknown>>;

/** The objects of a list; anything else in it is passed over. */
export function objectsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

export function numberOf(fields: Fields, key: string): number | undefined {
  const value = fields[key];
  return typeof value === 'number' ? value : undefined;
}

export function textsOf(fields: Fields, key: string): readonly string[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
