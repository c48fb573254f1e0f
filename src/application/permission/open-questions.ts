import { inject, injectable } from 'inversify';
import type { AskingMode } from '../../domain/permission/consent/consent.js';
import {
  ConsentGrant,
  type ConsentSubject,
  subjectKey,
} from '../../domain/permission/consent/consent-grant.js';
import type { PersonalWay } from '../../domain/permission/consent/consent-way.js';
import type { ArgumentValues } from '../call/runnable-tool.js';
import type { ConsentForm } from '../ports/permission/consent-prompt.js';
import { Clock } from '../ports/system/clock.js';
import { IdSource } from '../ports/system/id-source.js';

/**
 * How long a question can be answered, and how long an approval waits for its call unless the policy sets
 * `expires`.
 */
export const QUESTION_LIFE_MS = 600_000;
const MAX_QUESTIONS = 32;
const MAX_QUESTIONS_A_CALLER = 8;
/** Larger calls are not stored: only an identical call can use their approval. */
const MAX_KEPT_BYTES = 1024 * 1024;

export interface QuestionToOpen {
  readonly subject: ConsentSubject;
  readonly form: ConsentForm;
  readonly mode: AskingMode;
  /** The ways in which it may be answered. */
  readonly ways: readonly PersonalWay[];
  /** The call as decided on. */
  readonly arguments: ArgumentValues;
  readonly expiresMs?: number | undefined;
}

export interface OpenQuestion extends Omit<QuestionToOpen, 'arguments'> {
  readonly id: string;
  readonly openedAt: number;
  readonly expiresAt: number;
}

export interface PersonalAnswer {
  readonly way: PersonalWay;
  readonly accept: boolean;
  readonly typed?: string | undefined;
  readonly remember?: boolean | undefined;
  /** Shown to the agent with a refusal. */
  readonly reason?: string | undefined;
}

export type AnswerOutcome = 'taken' | 'gone' | 'other-way' | 'wrong-phrase';

/** The result of a question. */
export type Settlement =
  | { readonly kind: 'granted'; readonly grant: ConsentGrant; readonly remember: boolean }
  | { readonly kind: 'declined'; readonly reason?: string }
  /** It was withdrawn, or nobody answered in time. */
  | { readonly kind: 'gone' };

interface Kept {
  readonly question: OpenQuestion;
  readonly kept: ArgumentValues | undefined;
  settlement?: Exclude<Settlement, { kind: 'gone' }>;
  readonly waiting: Set<(settlement: Settlement) => void>;
}

/**
 * All questions of this server that a person may answer outside the client. Held in memory: when the server
 * stops they are gone, and nothing can be approved later.
 */
@injectable()
export class OpenQuestions {
  readonly #kept = new Map<string, Kept>();

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(IdSource) private readonly ids: IdSource,
  ) {}

  /** The open question about exactly this call. */
  find(subject: ConsentSubject): OpenQuestion | undefined {
    return this.#of(subject, ({ settlement }) => settlement === undefined)?.question;
  }

  /** Returns undefined if too many are open. */
  open({ arguments: args, ...question }: QuestionToOpen): OpenQuestion | undefined {
    this.#sweep();
    const all = [...this.#kept.values()];
    const { callerId } = question.subject;
    const own = all.filter(({ question: { subject } }) => subject.callerId === callerId);
    if (all.length >= MAX_QUESTIONS || own.length >= MAX_QUESTIONS_A_CALLER) return undefined;
    const now = this.clock.now();
    const id = `apr_${this.ids.next().replaceAll('-', '')}`;
    const opened = { ...question, id, openedAt: now, expiresAt: now + QUESTION_LIFE_MS };
    const small = Buffer.byteLength(JSON.stringify(args)) <= MAX_KEPT_BYTES;
    this.#kept.set(id, { question: opened, kept: small ? args : undefined, waiting: new Set() });
    return opened;
  }

  /**
   * Resolves when the question is answered or gone; never, if `over` is aborted because no call waits any
   * more.
   */
  settlement(id: string, over: AbortSignal): Promise<Settlement> {
    return new Promise((resolve) => {
      const kept = this.#kept.get(id);
      if (kept === undefined) resolve({ kind: 'gone' });
      else if (kept.settlement !== undefined) resolve(kept.settlement);
      else {
        kept.waiting.add(resolve);
        over.addEventListener('abort', () => kept.waiting.delete(resolve), { once: true });
      }
    });
  }

  /** Only the first answer counts; a concurrent second one gets `gone`. */
  answer(id: string, { way, accept, typed, remember, reason }: PersonalAnswer): AnswerOutcome {
    this.#sweep();
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.settlement !== undefined) return 'gone';
    const { question } = kept;
    if (!question.ways.includes(way)) return 'other-way';
    if (accept && question.mode === 'explicit' && typed !== question.form.phrase) return 'wrong-phrase';
    const until = this.clock.now() + (question.expiresMs ?? QUESTION_LIFE_MS);
    kept.settlement = accept
      ? {
          kind: 'granted',
          grant: new ConsentGrant(question.subject, way, until),
          remember: remember === true && question.form.rememberMs !== undefined,
        }
      : { kind: 'declined', ...(reason !== undefined && reason !== '' && { reason }) };
    for (const settled of kept.waiting) settled(kept.settlement);
    return 'taken';
  }

  /** Returns the answer for this call to the next call, once. */
  claim(subject: ConsentSubject): Exclude<Settlement, { kind: 'gone' }> | undefined {
    this.#sweep();
    const kept = this.#of(subject, ({ settlement }) => settlement !== undefined);
    if (kept === undefined) return undefined;
    this.#kept.delete(kept.question.id);
    return kept.settlement;
  }

  /** The arguments of the call that a question was about, for the same tool in the same session. */
  keptCall(
    id: string,
    asking: Pick<ConsentSubject, 'callerId' | 'sessionId' | 'tool'>,
  ): ArgumentValues | undefined {
    this.#sweep();
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    const { callerId, sessionId, tool } = kept.question.subject;
    const same = callerId === asking.callerId && sessionId === asking.sessionId && tool === asking.tool;
    return same ? kept.kept : undefined;
  }

  /** Withdraws a question whose call was cancelled. */
  withdraw(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.settlement !== undefined) return;
    this.#drop(kept);
  }

  /** Closes the question about this call because the client answered it; other answers no longer count. */
  close(subject: ConsentSubject): void {
    const kept = this.#of(subject, () => true);
    if (kept !== undefined) this.#drop(kept);
  }

  /** Removes the questions of a session that has ended. */
  endSession(sessionId: string): void {
    const own = [...this.#kept.values()].filter(({ question }) => question.subject.sessionId === sessionId);
    for (const kept of own) this.#drop(kept);
  }

  /** The unanswered questions, oldest first. */
  list(): readonly OpenQuestion[] {
    this.#sweep();
    return [...this.#kept.values()].flatMap(({ question, settlement }) =>
      settlement === undefined ? [question] : [],
    );
  }

  #of(subject: ConsentSubject, fits: (kept: Kept) => boolean): Kept | undefined {
    const key = subjectKey(subject);
    return [...this.#kept.values()].find((kept) => fits(kept) && subjectKey(kept.question.subject) === key);
  }

  #sweep(): void {
    const now = this.clock.now();
    for (const kept of [...this.#kept.values()]) {
      const { settlement, question } = kept;
      const until = settlement?.kind === 'granted' ? settlement.grant.expiresAt : question.expiresAt;
      if (now >= until) this.#drop(kept);
    }
  }

  #drop({ question, waiting, settlement }: Kept): void {
    this.#kept.delete(question.id);
    if (settlement === undefined) for (const settled of waiting) settled({ kind: 'gone' });
  }
}
