import { inject, injectable } from 'inversify';
import type { AskingMode } from '../../domain/permission/consent/consent.js';
import {
  ConsentGrant,
  type ConsentRoute,
  type ConsentSubject,
} from '../../domain/permission/consent/consent-grant.js';
import { type ConsentWay, commonWays, isPersonal } from '../../domain/permission/consent/consent-way.js';
import type { ArgumentValues } from '../call/runnable-tool.js';
import { ApprovalDesk } from '../ports/permission/approval-desk.js';
import { ConsentMemory } from '../ports/permission/consent-memory.js';
import {
  type ConsentAnswer,
  type ConsentForm,
  type ConsentOrigin,
  ConsentPrompt,
} from '../ports/permission/consent-prompt.js';
import { Clock } from '../ports/system/clock.js';
import { Timer } from '../ports/system/timer.js';
import { declined, pending, type RefusedConsent, refused, unavailable } from './consent-refusal.js';
import { OpenQuestions, type Settlement } from './open-questions.js';
import { untilAnswered } from './until-answered.js';

export interface ObtainConsentCommand {
  /** `always` asks every time; `explicit` requires the phrase; `ask` may be remembered. */
  readonly mode: AskingMode;
  readonly subject: ConsentSubject;
  readonly form: ConsentForm;
  /** The tool whose policy entry requires the consent, if it is another one. */
  readonly askedBy?: string | undefined;
  readonly origin: ConsentOrigin;
  /** How long the grant is valid if it is not used immediately. */
  readonly expiresMs?: number;
  /** The only ways the policy allows (default: all of the settings). */
  readonly via?: readonly ConsentWay[] | undefined;
  /** The call as decided on, for a question that outlives it. */
  readonly arguments: ArgumentValues;
  readonly signal?: AbortSignal;
}

export type ConsentOutcome = { readonly kind: 'granted'; readonly grant: ConsentGrant } | RefusedConsent;

const GRANT_LIFE_MS = 120_000;
const MAX_QUESTIONS = 16;
const MAX_QUESTIONS_A_CALLER = 4;

/** Asks a person, once per call, and binds the answer to exactly that call. */
@injectable()
export class ObtainConsentHandler {
  readonly #open = new Map<string, number>();
  #questions = 0;

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(Timer) private readonly timer: Timer,
    @inject(ConsentMemory) private readonly memory: ConsentMemory,
    @inject(ConsentPrompt) private readonly prompt: ConsentPrompt,
    @inject(ApprovalDesk) private readonly desk: ApprovalDesk,
    @inject(OpenQuestions) private readonly questions: OpenQuestions,
  ) {}

  async handle(command: ObtainConsentCommand): Promise<ConsentOutcome> {
    const { mode, subject, form } = command;
    const recalled = mode === 'ask' ? this.memory.recall(subject) : undefined;
    const until = recalled instanceof Promise ? await recalled : recalled;
    if (until !== undefined)
      return { kind: 'granted', grant: new ConsentGrant(subject, 'remembered', until) };
    // A policy that requires a phrase and has none cannot be satisfied by an empty answer.
    if (mode === 'explicit' && (form.phrase ?? '') === '') return this.#unavailable(command);
    const answered = this.questions.claim(subject);
    return answered === undefined ? this.#askInTurn(command) : this.#settled(command, answered);
  }

  /** Uses the first available way. */
  async #askInTurn(command: ObtainConsentCommand): Promise<ConsentOutcome> {
    const ways = commonWays(this.desk.via, command.via);
    for (const way of ways) {
      const outcome = await this.#askBy(way, command, ways);
      if (outcome !== undefined) return outcome;
    }
    return this.#unavailable(command);
  }

  /** undefined: this way is not available. */
  async #askBy(
    way: ConsentWay,
    command: ObtainConsentCommand,
    ways: readonly ConsentWay[],
  ): Promise<ConsentOutcome | undefined> {
    switch (way) {
      case 'client':
        return this.#askClient(command, ways);
      case 'terminal':
        if (this.desk.here !== undefined) return this.#askAt(this.desk.here, 'terminal', command);
        return (await this.desk.ready()) ? this.#openQuestion(command, ways) : undefined;
    }
  }

  async #askClient(
    command: ObtainConsentCommand,
    ways: readonly ConsentWay[],
  ): Promise<ConsentOutcome | undefined> {
    const outcome = await this.#askAt(this.prompt, 'client', command);
    if (outcome.kind === 'refused') {
      if (outcome.why === 'unavailable') return undefined;
      if (outcome.why === 'timed-out') {
        const answered = this.questions.claim(command.subject);
        if (answered !== undefined) return this.#settled(command, answered);
        if (ways.some(isPersonal) && (await this.desk.ready())) return this.#leave(command, ways);
      }
    }
    // The same question may still be open from an earlier call: it is answered now.
    const answered = outcome.kind === 'granted' || outcome.why === 'declined';
    if (answered) this.questions.close(command.subject);
    return outcome;
  }

  async #askAt(
    prompt: ConsentPrompt,
    way: 'client' | 'terminal',
    command: ObtainConsentCommand,
  ): Promise<ConsentOutcome> {
    const { callerId } = command.subject;
    if (!this.#mayAsk(callerId)) return refused('too-many-questions');
    this.#count(callerId, 1);
    try {
      const question = command.mode === 'ask' ? command.form : withoutMemory(command.form);
      const answer = await untilAnswered(this.timer, command.signal, (over) =>
        prompt.ask(question, over, command.origin),
      );
      return await this.#judge(command, answer, way);
    } finally {
      this.#count(callerId, -1);
    }
  }

  /** Opens the question for a person to find, and waits for a while. */
  async #openQuestion(command: ObtainConsentCommand, ways: readonly ConsentWay[]): Promise<ConsentOutcome> {
    const left = this.#leave(command, ways);
    return left.approval === undefined ? left : this.#waitFor(command, left.approval);
  }

  /** Opens the question for a person to find; the call does not wait. */
  #leave(
    { mode, subject, form, ...command }: ObtainConsentCommand,
    ways: readonly ConsentWay[],
  ): RefusedConsent {
    const asked = this.questions.find(subject);
    if (asked !== undefined) return pending(subject.tool, asked.id);
    const question = this.questions.open({
      mode,
      subject,
      form: mode === 'ask' ? form : withoutMemory(form),
      ways: ways.filter(isPersonal),
      arguments: command.arguments,
      expiresMs: command.expiresMs,
    });
    if (question === undefined) return refused('too-many-questions');
    this.desk.announce(question.form);
    return pending(subject.tool, question.id);
  }

  async #waitFor(command: ObtainConsentCommand, id: string): Promise<ConsentOutcome> {
    const { signal, subject } = command;
    const settlement = await untilAnswered(this.timer, signal, (over) => this.questions.settlement(id, over));
    if (settlement === 'timed-out') return pending(subject.tool, id);
    if (settlement === 'cancelled') {
      this.questions.withdraw(id);
      return refused('cancelled');
    }
    if (settlement.kind === 'gone') return refused('cancelled');
    // Of two identical waiting calls, only one gets the answer.
    const claimed = this.questions.claim(subject);
    return claimed === undefined ? refused('cancelled') : this.#settled(command, claimed);
  }

  async #settled(
    { mode, subject, form }: ObtainConsentCommand,
    settlement: Exclude<Settlement, { kind: 'gone' }>,
  ): Promise<ConsentOutcome> {
    if (settlement.kind === 'declined') return declined(settlement.reason);
    if (mode === 'ask' && settlement.remember && form.rememberMs !== undefined)
      await this.memory.remember(subject, this.clock.now() + form.rememberMs);
    return { kind: 'granted', grant: settlement.grant };
  }

  #unavailable({ subject, askedBy, via, form, mode }: ObtainConsentCommand): RefusedConsent {
    const phrased = mode !== 'explicit' || (form.phrase ?? '') !== '';
    const personal = phrased && commonWays(this.desk.via, via).some(isPersonal);
    return unavailable(askedBy ?? subject.tool, personal);
  }

  async #judge(
    command: ObtainConsentCommand,
    answer: ConsentAnswer | 'timed-out' | 'cancelled',
    way: 'client' | 'terminal',
  ): Promise<ConsentOutcome> {
    const { mode, subject, form, expiresMs = GRANT_LIFE_MS } = command;
    if (typeof answer === 'string') return refused(answer);
    switch (answer.kind) {
      case 'decline':
        return declined(answer.reason);
      case 'cancel':
        return refused('cancelled');
      case 'unavailable':
        return this.#unavailable(command);
      case 'accept': {
        if (mode === 'explicit' && answer.typed !== form.phrase) return refused('wrong-phrase');
        const now = this.clock.now();
        if (mode === 'ask' && answer.remember === true && form.rememberMs !== undefined) {
          await this.memory.remember(subject, now + form.rememberMs);
        }
        const asked: ConsentRoute = mode === 'explicit' ? 'phrase' : 'elicitation';
        const route = way === 'client' ? asked : way;
        return { kind: 'granted', grant: new ConsentGrant(subject, route, now + expiresMs) };
      }
    }
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
