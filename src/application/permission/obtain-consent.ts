import { inject, injectable } from 'inversify';
import type { AskingMode } from '../../domain/permission/consent/consent.js';
import {
  ConsentGrant,
  type ConsentRoute,
  type ConsentSubject,
} from '../../domain/permission/consent/consent-grant.js';
import { ConsentMemory } from '../ports/permission/consent-memory.js';
import {
  type ConsentAnswer,
  type ConsentForm,
  type ConsentOrigin,
  ConsentPrompt,
} from '../ports/permission/consent-prompt.js';
import { Clock } from '../ports/system/clock.js';
import { Timer } from '../ports/system/timer.js';

export interface ObtainConsentCommand {
  /** `always` asks every time; `explicit` has the form's phrase typed; `ask` may be remembered. */
  readonly mode: AskingMode;
  readonly subject: ConsentSubject;
  readonly form: ConsentForm;
  /** The tool whose entry of the policy asks, where it is not the subject's. */
  readonly askedBy?: string | undefined;
  readonly origin: ConsentOrigin;
  /** How long the grant lives if it is not used at once. */
  readonly expiresMs?: number;
  readonly signal?: AbortSignal;
}

export type ConsentRefusal =
  | 'declined'
  | 'cancelled'
  | 'timed-out'
  | 'wrong-phrase'
  | 'too-many-questions'
  | 'unavailable';

export type ConsentOutcome =
  | { readonly kind: 'granted'; readonly grant: ConsentGrant }
  | {
      readonly kind: 'refused';
      readonly why: ConsentRefusal;
      readonly reason: 'CONSENT_REQUIRED' | 'CONSENT_UNAVAILABLE';
      readonly message: string;
    };

const LONGEST_WAIT_MS = 50_000;
const GRANT_LIFE_MS = 120_000;
const MAX_QUESTIONS = 16;
const MAX_QUESTIONS_A_CALLER = 4;

const MESSAGES: Readonly<Record<ConsentRefusal, string>> = {
  declined: 'The person declined. Do not ask again for the same; find another way or ask what they want.',
  cancelled: 'The question was dismissed without an answer. Ask the user before trying again.',
  'timed-out': 'Nobody answered within 50 seconds. Ask the user to watch for the question, then try again.',
  'wrong-phrase': 'The phrase that was typed is not the one asked for. Nothing was done.',
  'too-many-questions': 'Other questions are still waiting for an answer. Wait for them, then try again.',
  unavailable:
    'This call needs a person to agree, and this client cannot ask one (no elicitation). Use a client that can, ' +
    'or ask the user to do it.',
};

/** Asks a person, once for each call, and binds the answer to exactly that call. */
@injectable()
export class ObtainConsentHandler {
  readonly #open = new Map<string, number>();
  #questions = 0;

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(Timer) private readonly timer: Timer,
    @inject(ConsentMemory) private readonly memory: ConsentMemory,
    @inject(ConsentPrompt) private readonly prompt: ConsentPrompt,
  ) {}

  async handle(command: ObtainConsentCommand): Promise<ConsentOutcome> {
    const { mode, subject, form } = command;
    const recalled = mode === 'ask' ? this.memory.recall(subject) : undefined;
    const until = recalled instanceof Promise ? await recalled : recalled;
    if (until !== undefined)
      return { kind: 'granted', grant: new ConsentGrant(subject, 'remembered', until) };
    // A policy that asks for a phrase and gives none cannot be satisfied by an empty answer.
    if (mode === 'explicit' && (form.phrase ?? '') === '') return unavailable(command);
    if (!this.#mayAsk(subject.callerId)) return refused('too-many-questions');
    this.#count(subject.callerId, 1);
    try {
      return await this.#judge(command, await this.#ask(command));
    } finally {
      this.#count(subject.callerId, -1);
    }
  }

  async #judge(command: ObtainConsentCommand, answer: ConsentAnswer | 'timed-out'): Promise<ConsentOutcome> {
    const { mode, subject, form, expiresMs = GRANT_LIFE_MS } = command;
    if (answer === 'timed-out') return refused('timed-out');
    switch (answer.kind) {
      case 'decline':
        return refused('declined');
      case 'cancel':
        return refused('cancelled');
      case 'unavailable':
        return unavailable(command);
      case 'accept': {
        if (mode === 'explicit' && answer.typed !== form.phrase) return refused('wrong-phrase');
        const now = this.clock.now();
        if (mode === 'ask' && answer.remember === true && form.rememberMs !== undefined) {
          await this.memory.remember(subject, now + form.rememberMs);
        }
        const route: ConsentRoute = mode === 'explicit' ? 'phrase' : 'elicitation';
        return { kind: 'granted', grant: new ConsentGrant(subject, route, now + expiresMs) };
      }
    }
  }

  #ask({ mode, form, signal, origin }: ObtainConsentCommand): Promise<ConsentAnswer | 'timed-out'> {
    const withdrawal = new AbortController();
    const question = mode === 'ask' ? form : withoutMemory(form);
    return new Promise<ConsentAnswer | 'timed-out'>((resolve, reject) => {
      const onAbort = () => resolve({ kind: 'cancel' });
      const cancelTimer = this.timer.after(LONGEST_WAIT_MS, () => resolve('timed-out'));
      withdrawal.signal.addEventListener('abort', () => {
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      else this.prompt.ask(question, withdrawal.signal, origin).then(resolve, reject);
    }).finally(() => withdrawal.abort());
  }

  #mayAsk(callerId: string): boolean {
    return this.#questions < MAX_QUESTIONS && (this.#open.get(callerId) ?? 0) < MAX_QUESTIONS_A_CALLER;
  }

  #count(callerId: string, change: 1 | -1): void {
    this.#questions += change;
    const open = (this.#open.get(callerId) ?? 0) + change;
    if (open === 0) this.#open.delete(callerId);
    else this.#open.set(callerId, open);
  }
}

function withoutMemory({ rememberMs: _, ...form }: ConsentForm): ConsentForm {
  return form;
}

function refused(why: ConsentRefusal): ConsentOutcome {
  const reason = why === 'unavailable' ? 'CONSENT_UNAVAILABLE' : 'CONSENT_REQUIRED';
  return { kind: 'refused', why, reason, message: MESSAGES[why] };
}

/** With the key that decides; the rule that asks may also be one of a list. */
function unavailable({ subject, askedBy }: ObtainConsentCommand): ConsentOutcome {
  return {
    kind: 'refused',
    why: 'unavailable',
    reason: 'CONSENT_UNAVAILABLE',
    message: withoutQuestion(askedBy ?? subject.tool),
  };
}

function withoutQuestion(tool: string): string {
  return `${MESSAGES.unavailable} The user can also change who is asked: consent at ${tool} in the policy, or at the rule that castellan policy explain names.`;
}
