import type { RulePosition } from './rule-position.js';

/** The subset of JSON Schema that a policy may use for one argument. */
export interface ArgumentConstraint {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  /** Compiled when the policy is read, with an engine that takes linear time. */
  readonly pattern?: { readonly source: string; test(text: string): boolean };
  readonly at?: RulePosition;
}

/**
 * Returns what the argument violates, as text; undefined if nothing. A missing argument violates nothing: the
 * tool's own schema requires it.
 */
export function brokenConstraint(constraint: ArgumentConstraint, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (constraint.type !== undefined && !hasType(value, constraint.type))
    return `must be a ${constraint.type}`;
  if (constraint.const !== undefined && value !== constraint.const) {
    return `must be ${JSON.stringify(constraint.const)}`;
  }
  if (constraint.enum !== undefined && !constraint.enum.some((member) => member === value)) {
    return `must be one of ${constraint.enum.map((member) => JSON.stringify(member)).join(', ')}`;
  }
  return brokenRange(constraint, value) ?? brokenLength(constraint, value);
}

function hasType(value: unknown, type: NonNullable<ArgumentConstraint['type']>): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}

// A constraint on numbers does not apply to a string, as in JSON Schema; `type` does.
function brokenRange({ minimum, maximum }: ArgumentConstraint, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (minimum !== undefined && !(value >= minimum)) return `must be at least ${minimum}`;
  if (maximum !== undefined && !(value <= maximum)) return `must be at most ${maximum}`;
  return undefined;
}

function brokenLength(constraint: ArgumentConstraint, value: unknown): string | undefined {
  const { minLength, maxLength, maxItems, pattern } = constraint;
  if (Array.isArray(value)) {
    return maxItems !== undefined && value.length > maxItems
      ? `must have at most ${maxItems} members`
      : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (minLength !== undefined && value.length < minLength) {
    return `must have at least ${minLength} characters`;
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return `must have at most ${maxLength} characters`;
  }
  if (pattern !== undefined && !pattern.test(value)) return 'must have the form that the policy asks for';
  return undefined;
}
