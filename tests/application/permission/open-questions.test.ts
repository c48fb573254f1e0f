import { expect } from 'chai';
import { ApprovedCalls } from '../../../src/application/permission/approved-calls.js';
import { OpenQuestions, QUESTION_LIFE_MS } from '../../../src/application/permission/open-questions.js';
import type { ConsentSubject } from '../../../src/domain/permission/consent/consent-grant.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { SequentialIds } from '../../../src/testing/sequential-ids.js';
import { ManualTime } from '../../support/manual-time.js';

const ARGUMENTS = { path: 'a.txt' };

describe('OpenQuestions', () => {
  let time: ManualTime;
  let questions: OpenQuestions;
  const session = Session.create('s-1', LOCAL_STDIO);
  const subject = (changes: Partial<ConsentSubject> = {}): ConsentSubject => ({
    callerId: LOCAL_STDIO.id,
    sessionId: session.id,
    tool: 'delete_path',
    argumentDigest: 'aa',
    policyHash: 'p1',
    ...changes,
  });
  const open = (changes: Partial<ConsentSubject> = {}, args: Readonly<Record<string, unknown>> = ARGUMENTS) =>
    questions.open({
      subject: subject(changes),
      form: { tool: 'delete_path', effect: 'Deletes', arguments: ARGUMENTS },
      mode: 'ask',
      ways: ['terminal'],
      arguments: args,
    });
  const mustOpen = (changes: Partial<ConsentSubject> = {}) => {
    const question = open(changes);
    if (question === undefined) throw new Error('too many');
    return question;
  };

  beforeEach(() => {
    time = new ManualTime();
    questions = new OpenQuestions(time, new SequentialIds());
  });

  it('gives a yes once, and to the identical call alone', () => {
    const { id } = mustOpen();
    questions.answer(id, { way: 'terminal', accept: true });
    for (const other of [
      { callerId: 'somebody' },
      { sessionId: 's-2' },
      { tool: 'move_path' },
      { argumentDigest: 'bb' },
      { policyHash: 'p2' },
    ])
      expect(questions.claim(subject(other)), JSON.stringify(other)).to.equal(undefined);
    expect(questions.claim(subject())?.kind).to.equal('granted');
    expect(questions.claim(subject())).to.equal(undefined);
  });

  it('forgets what nobody answered, and a yes that nobody used', () => {
    const { id } = mustOpen();
    time.advance(QUESTION_LIFE_MS);
    expect(questions.answer(id, { way: 'terminal', accept: true })).to.equal('gone');
    const second = mustOpen();
    questions.answer(second.id, { way: 'terminal', accept: true });
    time.advance(QUESTION_LIFE_MS);
    expect(questions.claim(subject())).to.equal(undefined);
  });

  it('holds so many of one caller and no more', () => {
    const opened = Array.from({ length: 40 }, (_, at) => open({ argumentDigest: String(at) }));
    expect(opened.filter((question) => question !== undefined)).to.have.length(8);
    const others = Array.from({ length: 40 }, (_, at) => open({ callerId: String(at) }));
    expect(others.filter((question) => question !== undefined)).to.have.length(24);
  });

  it('ends with the session', async () => {
    const { id } = mustOpen();
    const settlement = questions.settlement(id, new AbortController().signal);
    questions.endSession(session.id);
    expect(await settlement).to.deep.equal({ kind: 'gone' });
    expect(questions.list()).to.have.length(0);
  });

  describe('a call by its approval', () => {
    const resolve = (args: unknown, tool = 'delete_path', by = session) =>
      new ApprovedCalls(questions).argumentsOf({ arguments: args }, by, tool);

    it('has the arguments of the stored call, for its own session and tool', () => {
      const { id } = mustOpen();
      const found = resolve({ approval: id });
      expect(found.success && found.value).to.equal(ARGUMENTS);
      for (const refused of [
        resolve({ approval: id }, 'move_path'),
        resolve({ approval: id }, 'delete_path', Session.create('s-2', LOCAL_STDIO)),
        resolve({ approval: 'apr_0000000000' }),
      ])
        expect(refused.success).to.equal(false);
    });

    it('is any other call where there is more, or something else', () => {
      const { id } = mustOpen();
      for (const args of [
        { approval: id, path: 'b' },
        { approval: 'yes' },
        { approval: 1 },
        'x',
        undefined,
      ]) {
        const found = resolve(args);
        expect(found.success && found.value).to.equal(args);
      }
    });

    it('is not kept where it is large', () => {
      const question = open({}, { content: 'x'.repeat(2_000_000) });
      expect(resolve({ approval: question?.id }).success).to.equal(false);
    });
  });
});
