import type { JsonValue } from '../../domain/json-value.js';
import type { Result } from '../../domain/result.js';
import { plainName } from '../answers/plain-name.js';
import type { ExitCode, Output } from './output.js';

export interface ApproveOptions {
  readonly setPin?: boolean;
  readonly list?: boolean;
  /** Milliseconds for which the PIN is not asked again. */
  readonly for?: number;
}

/** An open question of one of this user's servers. */
export interface WaitingQuestion {
  readonly id: string;
  readonly workspace: string;
  readonly caller: string;
  readonly tool: string;
  readonly effect: string;
  readonly consequences?: string;
  readonly arguments: JsonValue;
  readonly phrase?: string;
}

export interface ChosenAnswer {
  readonly accept: boolean;
  readonly typed?: string;
  readonly reason?: string;
}

/** The command's dependencies. */
export interface ApprovalService {
  readonly pinSet: boolean;
  setPin(pin: string): Promise<Result<undefined>>;
  unlock(pin: string): Promise<Result<string>>;
  questions(): Promise<readonly WaitingQuestion[]>;
  answer(id: string, key: string, answer: ChosenAnswer): Promise<string>;
  now(): number;
}

export interface Person {
  show(text: string): void;
  ask(question: string): Promise<string | undefined>;
  secret(question: string): Promise<string | undefined>;
}

const NO_TERMINAL =
  'Answering needs a person at a terminal, and this process has none. Run castellan approve in a terminal of your own.';
const NO_PIN = 'No PIN is set. Set one with castellan approve --set-pin, then answer again.';

/** `castellan approve [ID]`: shows open questions, and answers them with the PIN. */
export async function approveCommand(
  service: ApprovalService,
  person: Person | undefined,
  id: string | undefined,
  options: ApproveOptions,
  output: Output,
): Promise<ExitCode> {
  if (options.list) return list(await service.questions(), output);
  if (person === undefined) {
    output.err(NO_TERMINAL);
    return 4;
  }
  if (options.setPin) return setPin(service, person, output);
  const all = await service.questions();
  const chosen = id === undefined ? all : all.filter((question) => question.id === id);
  if (chosen.length === 0) {
    output.out(id === undefined ? 'No question is open.' : `No open question has the id ${plainName(id)}.`);
    return id === undefined ? 0 : 1;
  }
  if (!service.pinSet) {
    output.err(NO_PIN);
    return 4;
  }
  return new Answering(service, person, options.for ?? 0, output).answerAll(chosen);
}

/**
 * A question for a person. Control characters are escaped, so that nothing can move the cursor or imitate
 * another line.
 */
export function questionText(question: Omit<WaitingQuestion, 'id' | 'workspace' | 'caller'>): string {
  const { tool, effect, consequences, arguments: args } = question;
  const lines = (JSON.stringify(args, undefined, 2) ?? '').split('\n').map(plainName);
  const told = consequences === undefined ? [] : [plainName(consequences)];
  return [`${plainName(tool)}: ${plainName(effect)}`, ...told, ...lines].join('\n');
}

export function typeExactly(phrase: string): string {
  return `Type exactly: ${plainName(phrase)}\n> `;
}

function list(questions: readonly WaitingQuestion[], output: Output): ExitCode {
  for (const question of questions) output.out(`${heading(question)}\n${questionText(question)}\n`);
  if (questions.length === 0) output.out('No question is open.');
  return 0;
}

function heading({ id, workspace, caller }: WaitingQuestion): string {
  return `${plainName(id)}  ${plainName(workspace)}  asked for ${plainName(caller)}`;
}

async function setPin(service: ApprovalService, person: Person, output: Output): Promise<ExitCode> {
  if (service.pinSet) {
    const old = await person.secret('The PIN that is set now: ');
    const unlocked = old === undefined ? undefined : await service.unlock(old);
    if (!unlocked?.success) {
      output.err(unlocked?.error ?? 'Nothing was changed.');
      return 1;
    }
  }
  const pin = await person.secret('A new PIN or passphrase, 6 characters or more: ');
  if (pin === undefined || pin !== (await person.secret('Again: '))) {
    output.err('The two entries differ. Nothing was changed.');
    return 1;
  }
  const set = await service.setPin(pin);
  if (!set.success) {
    output.err(set.error);
    return 1;
  }
  output.out('The PIN is set. Use castellan approve to answer questions that no client can ask.');
  return 0;
}

class Answering {
  #key: { readonly key: string; readonly until: number } | undefined;

  constructor(
    private readonly service: ApprovalService,
    private readonly person: Person,
    private readonly keepMs: number,
    private readonly output: Output,
  ) {}

  async answerAll(questions: readonly WaitingQuestion[]): Promise<ExitCode> {
    let code: ExitCode = 0;
    for (const question of questions) {
      this.person.show(`\n${heading(question)}\n${questionText(question)}`);
      const chosen = await this.#choose(question);
      if (chosen === 'stop') return code;
      if (chosen !== 'later' && !(await this.#send(question, chosen))) code = 1;
    }
    return code;
  }

  async #choose({ phrase }: WaitingQuestion): Promise<ChosenAnswer | 'later' | 'stop'> {
    const word = (await this.person.ask('Allow it once? [y]es, [n]o, anything else: later  '))?.trim();
    if (word === undefined) return 'stop';
    if (/^n(o)?$/i.test(word)) {
      const reason = await this.person.ask('Reason to show the agent (may be empty): ');
      return reason === undefined ? 'stop' : { accept: false, reason };
    }
    if (!/^y(es)?$/i.test(word)) return 'later';
    if (phrase === undefined) return { accept: true };
    const typed = await this.person.ask(typeExactly(phrase));
    return typed === undefined ? 'stop' : { accept: true, typed };
  }

  async #send({ id }: WaitingQuestion, answer: ChosenAnswer): Promise<boolean> {
    const key = await this.#unlock();
    if (key === undefined) return false;
    const outcome = await this.service.answer(id, key, answer);
    if (outcome === 'taken') {
      const next = answer.accept
        ? 'Allowed. The call runs now, or when the agent makes it again.'
        : 'Declined.';
      this.output.out(`${id}: ${next}`);
    } else this.output.err(`${id}: ${OUTCOMES[outcome] ?? outcome}`);
    return outcome === 'taken';
  }

  async #unlock(): Promise<string | undefined> {
    if (this.#key !== undefined && this.service.now() < this.#key.until) return this.#key.key;
    const pin = await this.person.secret('PIN: ');
    if (pin === undefined) return undefined;
    const unlocked = await this.service.unlock(pin);
    if (!unlocked.success) {
      this.output.err(unlocked.error);
      return undefined;
    }
    this.#key = { key: unlocked.value, until: this.service.now() + this.keepMs };
    return unlocked.value;
  }
}

const OUTCOMES: Readonly<Record<string, string>> = {
  gone: 'The question is no longer open: it was answered, withdrawn or expired.',
  'other-way': 'The policy requires another way of answering this question.',
  'wrong-phrase': 'The phrase that was typed is not the one asked for. The question stays open.',
  'wrong-key': 'The PIN was changed in the meantime. Try again.',
};
