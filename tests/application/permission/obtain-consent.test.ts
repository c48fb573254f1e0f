import { expect } from 'chai';
import { SILENT_CHANNEL } from '../../../src/application/call/tool-context.js';
import {
  type ObtainConsentCommand,
  ObtainConsentHandler,
} from '../../../src/application/permission/obtain-consent.js';
import { OpenQuestions } from '../../../src/application/permission/open-questions.js';
import type { ApprovalDesk } from '../../../src/application/ports/permission/approval-desk.js';
import type {
  ConsentAnswer,
  ConsentForm,
  ConsentPrompt,
} from '../../../src/application/ports/permission/consent-prompt.js';
import type { ConsentSubject } from '../../../src/domain/permission/consent/consent-grant.js';
import type { ConsentWay } from '../../../src/domain/permission/consent/consent-way.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { InMemoryConsentMemory } from '../../../src/infrastructure/permission/in-memory-consent-memory.js';
import { SequentialIds } from '../../../src/testing/sequential-ids.js';
import { ManualTime } from '../../support/manual-time.js';

const SUBJECT: ConsentSubject = {
  callerId: 'local',
  sessionId: 's-1',
  tool: 'delete_path',
  argumentDigest: 'aa',
  policyHash: 'p1',
};
const FORM: ConsentForm = { tool: 'delete_path', effect: 'removes ./a', arguments: { path: './a' } };

class ScriptedPrompt implements ConsentPrompt {
  readonly forms: ConsentForm[] = [];
  readonly signals: AbortSignal[] = [];

  constructor(private readonly answer: ConsentAnswer | Error | 'never') {}

  ask(form: ConsentForm, signal: AbortSignal): Promise<ConsentAnswer> {
    this.forms.push(form);
    this.signals.push(signal);
    if (this.answer instanceof Error) return Promise.reject(this.answer);
    return this.answer === 'never' ? new Promise(() => undefined) : Promise.resolve(this.answer);
  }
}

describe('ObtainConsentHandler', () => {
  let time: ManualTime;
  let handler: ObtainConsentHandler;
  let bound: ConsentPrompt;
  let questions: OpenQuestions;
  let desk: {
    via: readonly ConsentWay[];
    here: ConsentPrompt | undefined;
    pin: boolean;
  };
  const announced: string[] = [];
  beforeEach(() => {
    time = new ManualTime();
    desk = { via: ['client', 'terminal'], here: undefined, pin: false };
    announced.length = 0;
    questions = new OpenQuestions(time, new SequentialIds());
    const prompt: ConsentPrompt = { ask: (...question) => bound.ask(...question) };
    const waysToAsk: ApprovalDesk = {
      get via() {
        return desk.via;
      },
      get here() {
        return desk.here;
      },
      ready: async () => desk.pin,
      announce: ({ tool }) => void announced.push(tool),
    };
    handler = new ObtainConsentHandler(
      time,
      time,
      new InMemoryConsentMemory(time),
      prompt,
      waysToAsk,
      questions,
    );
  });

  const obtain = (answer: ConsentAnswer | Error | 'never', changes: Partial<ObtainConsentCommand> = {}) => {
    const prompt = new ScriptedPrompt(answer);
    bound = prompt;
    const outcome = handler.handle({
      mode: 'ask',
      subject: SUBJECT,
      form: FORM,
      arguments: { path: './a' },
      origin: { caller: LOCAL_STDIO, sessionId: 's-1', client: SILENT_CHANNEL },
      ...changes,
    });
    return { outcome, prompt };
  };

  it('grants a call that the person accepted, once, to exactly that call', async () => {
    const outcome = await obtain({ kind: 'accept' }).outcome;
    if (outcome.kind !== 'granted') throw new Error(outcome.message);
    expect(outcome.grant.route).to.equal('elicitation');
    expect(outcome.grant.consume({ ...SUBJECT, argumentDigest: 'bb' }, time.now())).to.equal('other-call');
    expect(outcome.grant.consume(SUBJECT, time.now())).to.equal('granted');
    expect(outcome.grant.consume(SUBJECT, time.now())).to.equal('used');
    expect(time.waiting).to.equal(0);
  });

  it('refuses when the person declines or dismisses the question', async () => {
    expect(await obtain({ kind: 'decline' }).outcome).to.include({
      why: 'declined',
      reason: 'CONSENT_REQUIRED',
    });
    expect(await obtain({ kind: 'cancel' }).outcome).to.include({
      why: 'cancelled',
      reason: 'CONSENT_REQUIRED',
    });
  });

  it('refuses with CONSENT_UNAVAILABLE and what to do when nobody can be asked', async () => {
    const outcome = await obtain({ kind: 'unavailable' }).outcome;
    expect(outcome).to.include({ why: 'unavailable', reason: 'CONSENT_UNAVAILABLE' });
    expect(outcome.kind === 'refused' && outcome.message).to.include('elicitation');
  });

  it('waits 50 seconds and no longer, and withdraws the question', async () => {
    const { outcome, prompt } = obtain('never');
    time.advance(49_999);
    expect(prompt.signals[0]?.aborted).to.equal(false);
    time.advance(1);
    expect(await outcome).to.include({ kind: 'refused', why: 'timed-out' });
    expect(prompt.signals[0]?.aborted).to.equal(true);
  });

  it('withdraws the question when the call is cancelled', async () => {
    const call = new AbortController();
    const { outcome, prompt } = obtain('never', { signal: call.signal });
    call.abort();
    expect(await outcome).to.include({ why: 'cancelled' });
    expect(prompt.signals[0]?.aborted).to.equal(true);
    expect(time.waiting).to.equal(0);
  });

  it('compares a typed phrase exactly', async () => {
    const explicit = { mode: 'explicit' as const, form: { ...FORM, phrase: 'delete ./a' } };
    for (const typed of ['delete ./b', 'Delete ./a', 'delete ./a ', '']) {
      expect(await obtain({ kind: 'accept', typed }, explicit).outcome).to.include({ why: 'wrong-phrase' });
    }
    expect(await obtain({ kind: 'accept' }, explicit).outcome).to.include({ why: 'wrong-phrase' });
    const granted = await obtain({ kind: 'accept', typed: 'delete ./a' }, explicit).outcome;
    expect(granted.kind === 'granted' && granted.grant.route).to.equal('phrase');
    const empty = { mode: 'explicit' as const, form: { ...FORM, phrase: '' } };
    expect(await obtain({ kind: 'accept', typed: '' }, empty).outcome).to.include({ kind: 'refused' });
  });

  it('remembers for identical arguments only, for as long as the policy says', async () => {
    const form = { ...FORM, rememberMs: 60_000 };
    await obtain({ kind: 'accept', remember: true }, { form }).outcome;
    const again = obtain({ kind: 'decline' }, { form });
    const outcome = await again.outcome;
    expect(outcome.kind === 'granted' && outcome.grant.route).to.equal('remembered');
    expect(again.prompt.forms).to.have.length(0);
    for (const change of [
      { argumentDigest: 'bb' },
      { policyHash: 'p2' },
      { callerId: 'x' },
      { sessionId: 'y' },
    ]) {
      const other = obtain({ kind: 'decline' }, { form, subject: { ...SUBJECT, ...change } });
      expect(await other.outcome).to.include({ why: 'declined' });
    }
    time.advance(60_000);
    expect(await obtain({ kind: 'decline' }, { form }).outcome).to.include({ why: 'declined' });
  });

  it('remembers nothing the person or the policy did not say, nor for always and explicit', async () => {
    await obtain({ kind: 'accept', remember: true }).outcome;
    await obtain({ kind: 'accept' }, { form: { ...FORM, rememberMs: 60_000 } }).outcome;
    const always = obtain(
      { kind: 'accept', remember: true },
      { mode: 'always', form: { ...FORM, rememberMs: 9 } },
    );
    await always.outcome;
    expect(always.prompt.forms[0]).to.not.have.property('rememberMs');
    expect(await obtain({ kind: 'decline' }).outcome).to.include({ why: 'declined' });
  });

  it('asks no caller more than four questions at once, and others still get theirs', async () => {
    const open = Array.from({ length: 4 }, () => obtain('never').outcome);
    expect(await obtain({ kind: 'accept' }).outcome).to.include({ why: 'too-many-questions' });
    const other = { subject: { ...SUBJECT, callerId: 'other' } };
    expect(await obtain({ kind: 'accept' }, other).outcome).to.include({ kind: 'granted' });
    time.advance(50_000);
    await Promise.all(open);
    expect(await obtain({ kind: 'accept' }).outcome).to.include({ kind: 'granted' });
  });

  it('lets a grant that is not used expire', async () => {
    const outcome = await obtain({ kind: 'accept' }, { expiresMs: 1000 }).outcome;
    if (outcome.kind !== 'granted') throw new Error(outcome.message);
    time.advance(1000);
    expect(outcome.grant.consume(SUBJECT, time.now())).to.equal('expired');
  });

  it('passes a fault of the prompt on, and frees its place', async () => {
    for (let index = 0; index < 20; index += 1) {
      const failure = await obtain(new Error('broken prompt')).outcome.catch((error: unknown) => error);
      expect(failure).to.have.property('message', 'broken prompt');
    }
    expect(time.waiting).to.equal(0);
  });

  describe('ways to ask', () => {
    const CANNOT: ConsentAnswer = { kind: 'unavailable' };

    it('leaves a question to the person where the client cannot ask, and runs the call that waits', async () => {
      desk.pin = true;
      const { outcome } = obtain(CANNOT);
      await settle();
      const [question] = questions.list();
      expect(question).to.include({ mode: 'ask' });
      expect(announced).to.deep.equal(['delete_path']);
      expect(questions.answer(question?.id ?? '', { way: 'terminal', accept: true })).to.equal('taken');
      expect(questions.answer(question?.id ?? '', { way: 'terminal', accept: false })).to.equal('gone');
      const granted = await outcome;
      expect(granted.kind === 'granted' && granted.grant.route).to.equal('terminal');
      expect(questions.list()).to.have.length(0);
    });

    it('ends the call as pending after 50 seconds, and gives a later yes to one identical call', async () => {
      desk.pin = true;
      const first = obtain(CANNOT);
      await settle();
      time.advance(50_000);
      const waiting = await first.outcome;
      if (waiting.kind !== 'refused') throw new Error('granted');
      expect(waiting).to.include({ why: 'pending', reason: 'CONSENT_PENDING' });
      expect(waiting.message).to.include('castellan approve').and.include(waiting.approval);
      questions.answer(waiting.approval ?? '', { way: 'terminal', accept: true });
      const second = await obtain(CANNOT).outcome;
      expect(second.kind === 'granted' && second.grant.route).to.equal('terminal');
      const third = obtain(CANNOT);
      await settle();
      expect(questions.list(), 'the yes was used').to.have.length(1);
      time.advance(50_000);
      expect((await third.outcome).kind).to.equal('refused');
    });

    it('joins the open question instead of asking twice', async () => {
      desk.pin = true;
      const calls = [obtain(CANNOT), obtain(CANNOT)];
      await settle();
      const [question, ...others] = questions.list();
      expect(others).to.have.length(0);
      questions.answer(question?.id ?? '', { way: 'terminal', accept: true });
      const outcomes = await Promise.all(calls.map(({ outcome }) => outcome));
      expect(outcomes.filter(({ kind }) => kind === 'granted')).to.have.length(1);
    });

    it("tells the agent the person's reason", async () => {
      desk.pin = true;
      const { outcome } = obtain(CANNOT);
      await settle();
      questions.answer(questions.list()[0]?.id ?? '', {
        way: 'terminal',
        accept: false,
        reason: 'use git rm',
      });
      const refusal = await outcome;
      expect(refusal.kind === 'refused' && refusal.message).to.include('use git rm');
    });

    it('takes the phrase of the policy and no other', async () => {
      desk.pin = true;
      const { outcome } = obtain(CANNOT, { mode: 'explicit', form: { ...FORM, phrase: 'delete a' } });
      await settle();
      const id = questions.list()[0]?.id ?? '';
      expect(questions.answer(id, { way: 'terminal', accept: true, typed: 'delete' })).to.equal(
        'wrong-phrase',
      );
      expect(questions.answer(id, { way: 'terminal', accept: true, typed: 'delete a' })).to.equal('taken');
      expect((await outcome).kind).to.equal('granted');
    });

    it('does not ask a client that a rule keeps the question from', async () => {
      desk.pin = true;
      const { outcome, prompt } = obtain({ kind: 'accept' }, { via: ['terminal'] });
      await settle();
      expect(prompt.forms).to.have.length(0);
      const id = questions.list()[0]?.id ?? '';
      expect(questions.answer(id, { way: 'terminal', accept: true })).to.equal('taken');
      expect((await outcome).kind).to.equal('granted');
    });

    it('refuses where no way is left', async () => {
      const outcome = await obtain({ kind: 'accept' }, { via: ['terminal'] }).outcome;
      expect(outcome).to.include({ kind: 'refused', why: 'unavailable' });
    });

    it('asks first where the settings say so', async () => {
      desk = { ...desk, via: ['terminal', 'client'], pin: true };
      const asked = obtain({ kind: 'accept' });
      await settle();
      expect(asked.prompt.forms).to.have.length(0);
      questions.answer(questions.list()[0]?.id ?? '', { way: 'terminal', accept: false });
      await asked.outcome;
      desk.pin = false;
      expect((await obtain({ kind: 'accept' }).outcome).kind, 'no terminal can be used').to.equal('granted');
    });

    it('asks in the terminal that the call was made from', async () => {
      desk.here = new ScriptedPrompt({ kind: 'accept' });
      const outcome = await obtain(CANNOT).outcome;
      expect(outcome.kind === 'granted' && outcome.grant.route).to.equal('terminal');
    });

    it('leaves a question open that nobody answered at the client', async () => {
      desk.pin = true;
      const { outcome } = obtain('never');
      await settle();
      time.advance(50_000);
      expect(await outcome).to.include({ kind: 'refused', why: 'pending' });
      expect(questions.list()).to.have.length(1);
    });

    it('asks the client again, and its answer is the only one', async () => {
      desk.pin = true;
      const missed = obtain('never');
      await settle();
      time.advance(50_000);
      await missed.outcome;
      const id = questions.list()[0]?.id ?? '';
      const again = await obtain({ kind: 'accept' }).outcome;
      expect(again.kind === 'granted' && again.grant.route).to.equal('elicitation');
      expect(questions.answer(id, { way: 'terminal', accept: true })).to.equal('gone');
      expect((await obtain({ kind: 'decline' }).outcome).kind, 'no second run').to.equal('refused');
    });

    it('takes what was answered in the terminal while the client was silent', async () => {
      desk.pin = true;
      const missed = obtain('never');
      await settle();
      time.advance(50_000);
      await missed.outcome;
      const again = obtain('never');
      await settle();
      questions.answer(questions.list()[0]?.id ?? '', { way: 'terminal', accept: true });
      time.advance(50_000);
      const outcome = await again.outcome;
      expect(outcome.kind === 'granted' && outcome.grant.route).to.equal('terminal');
    });

    it('withdraws the question of a call that is cancelled', async () => {
      desk.pin = true;
      const cancelled = new AbortController();
      const { outcome } = obtain(CANNOT, { signal: cancelled.signal });
      await settle();
      cancelled.abort();
      expect(await outcome).to.include({ kind: 'refused', why: 'cancelled' });
      expect(questions.list()).to.have.length(0);
    });
  });
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
