import type { JsonValue } from '../../domain/json-value.js';
import type { AskingMode } from '../../domain/permission/consent/consent.js';
import type { PersonalWay } from '../../domain/permission/consent/consent-way.js';
import type { OpenQuestion } from '../permission/open-questions.js';
import type { ServerView, Stoppable } from './watch-server.js';

/** A question as a person is shown it. */
export interface ShownQuestion {
  readonly id: string;
  readonly caller: string;
  readonly mode: AskingMode;
  readonly ways: readonly PersonalWay[];
  readonly tool: string;
  readonly effect: string;
  readonly consequences?: string;
  readonly rule?: { readonly at: string; readonly why?: string };
  readonly programs?: readonly string[];
  readonly diff?: string;
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

/** A person's answer. */
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

/** Everything that the console shows of a server at one moment. */
export interface ServerState extends ServerQuestions, ServerView {}

/** The policy that is in force in a server. */
export interface ServerPolicy {
  readonly origin: readonly string[];
  readonly hash: string;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly notice?: string;
  /** The tools that each role could use with some arguments. */
  readonly roles: readonly { readonly role: string; readonly tools: readonly string[] }[];
}

/** What the policy in force would say about a call. */
export interface TriedCall {
  readonly effect: 'allow' | 'consent' | 'deny';
  readonly reason?: string;
  readonly rule?: string;
  readonly why?: string;
  readonly message: string;
  readonly steps: readonly { readonly check: string; readonly outcome: string; readonly detail: string }[];
}

/** Tells a server from the others of this user. */
export type ServerName = string;

/** What the console needs of the servers that it shows. undefined: the server is gone. */
export interface OperatedServers {
  states(): Promise<ReadonlyMap<ServerName, ServerState>>;
  answer(server: ServerName, answer: Omit<GivenAnswer, 'way'>): Promise<AnswerOutcome>;
  stop(server: ServerName, kind: Stoppable, id: string): Promise<boolean>;
  policy(server: ServerName): Promise<ServerPolicy | undefined>;
  tryCall(
    server: ServerName,
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<TriedCall | undefined>;
}

/** An open question without what nobody has to be shown. */
export function shownQuestion(question: OpenQuestion): ShownQuestion {
  const { id, subject, mode, ways, form, openedAt, expiresAt } = question;
  return { ...form, id, caller: subject.callerId, mode, ways, openedAt, expiresAt };
}
