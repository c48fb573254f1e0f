import type { GivenAnswer } from '../../application/operation/operated-server.js';
import { STOPPABLE, type Stoppable } from '../../application/operation/watch-server.js';
import { isJsonObject } from '../../domain/json-value.js';
import { CONSENT_WAYS, isPersonal } from '../../domain/permission/consent/consent-way.js';

/** One line of JSON each. `key` is what the PIN unlocks. */
export type ApprovalRequest =
  | { readonly op: 'list' }
  | ({ readonly op: 'answer'; readonly key: string } & GivenAnswer)
  | OperatorRequest;

/** Only for whoever has the key. */
export type OperatorRequest = { readonly key: string } & (
  | { readonly op: 'state' | 'policy' }
  | { readonly op: 'stop'; readonly kind: Stoppable; readonly id: string }
  | { readonly op: 'try'; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
);

const MAX_REASON = 500;

/** undefined: nothing that is understood. */
export function parseRequest(line: string): ApprovalRequest | undefined {
  const given = parseLine(line);
  if (given?.op === 'list') return { op: 'list' };
  const { key } = given ?? {};
  if (typeof key !== 'string') return undefined;
  if (given !== undefined && given.op !== 'answer') return parseOperation(given, key);
  const { id, way: wanted, accept, typed, remember, reason } = given ?? {};
  const way = CONSENT_WAYS.filter(isPersonal).find((known) => known === wanted);
  if (given?.op !== 'answer' || typeof id !== 'string' || way === undefined || typeof accept !== 'boolean')
    return undefined;
  return {
    op: 'answer',
    key,
    id,
    way,
    accept,
    ...(typeof typed === 'string' && { typed }),
    ...(typeof remember === 'boolean' && { remember }),
    ...(typeof reason === 'string' && { reason: reason.slice(0, MAX_REASON) }),
  };
}

function parseOperation(
  { op, kind, id, tool, arguments: args }: Readonly<Record<string, unknown>>,
  key: string,
): OperatorRequest | undefined {
  switch (op) {
    case 'state':
    case 'policy':
      return { op, key };
    case 'stop': {
      const known = STOPPABLE.find((name) => name === kind);
      return known === undefined || typeof id !== 'string' ? undefined : { op, key, kind: known, id };
    }
    case 'try':
      return typeof tool === 'string' && isJsonObject(args) ? { op, key, tool, arguments: args } : undefined;
    default:
      return undefined;
  }
}

export function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
