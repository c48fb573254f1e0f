import { isJsonObject, type JsonValue } from '../../domain/json-value.js';
import type { AskingMode } from '../../domain/permission/consent/consent.js';
import { CONSENT_WAYS, isPersonal, type PersonalWay } from '../../domain/permission/consent/consent-way.js';

/** A question as a person is shown it. */
export interface ShownQuestion {
  readonly id: string;
  readonly caller: string;
  readonly mode: AskingMode;
  readonly ways: readonly PersonalWay[];
  readonly tool: string;
  readonly effect: string;
  readonly consequences?: string;
  /** Cut and redacted. */
  readonly arguments: JsonValue;
  readonly phrase?: string;
  readonly rememberMs?: number;
  readonly openedAt: number;
  readonly expiresAt: number;
}

export interface ServerQuestions {
  readonly server: { readonly pid: number; readonly workspace: string };
  readonly questions: readonly ShownQuestion[];
}

/** A person's answer. `key` is what the PIN unlocks. */
export interface GivenAnswer {
  readonly id: string;
  readonly way: PersonalWay;
  readonly accept: boolean;
  readonly typed?: string | undefined;
  readonly remember?: boolean | undefined;
  readonly reason?: string | undefined;
}

export const ANSWER_OUTCOMES = ['taken', 'gone', 'other-way', 'wrong-phrase', 'wrong-key'] as const;

export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];

/** One line of JSON each. */
export type ApprovalRequest =
  | { readonly op: 'list' }
  | ({ readonly op: 'answer'; readonly key: string } & GivenAnswer);

const MAX_REASON = 500;

/** undefined: nothing that is understood. */
export function parseRequest(line: string): ApprovalRequest | undefined {
  const given = parseLine(line);
  if (given?.op === 'list') return { op: 'list' };
  const { key } = given ?? {};
  if (typeof key !== 'string') return undefined;
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

export function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
