import { expect } from 'chai';
import { Result } from '../../../src/domain/result.js';
import {
  type ApprovalService,
  approveCommand,
  type ChosenAnswer,
  type Person,
  questionText,
  type WaitingQuestion,
} from '../../../src/presentation/cli/approve-command.js';
import { StreamOutput } from '../../../src/presentation/cli/output.js';

const QUESTION: WaitingQuestion = {
  id: 'apr_1',
  workspace: '/w',
  caller: 'local',
  tool: 'delete_path',
  effect: 'Deletes a file',
  arguments: { path: 'a.txt' },
};

describe('castellan approve', () => {
  let said: string;
  let sent: { id: string; key: string; answer: ChosenAnswer }[];
  let pins: string[];
  let now: number;
  beforeEach(() => {
    [said, sent, pins, now] = ['', [], [], 0];
  });

  const approve = (
    words: readonly string[] | undefined,
    questions: readonly WaitingQuestion[],
    options: Parameters<typeof approveCommand>[3] = {},
    pinSet = true,
  ) => {
    const left = [...(words ?? [])];
    const next = async () => left.shift();
    const tell = (text: string) => {
      said += text;
    };
    const person: Person = { show: tell, ask: next, secret: next };
    const service: ApprovalService = {
      pinSet,
      setPin: async (pin) => {
        pins.push(pin);
        return Result.ok(undefined);
      },
      unlock: async (pin) =>
        pin === '246810' ? Result.ok('key') : Result.failure('This is not the PIN.', 'WrongPin'),
      questions: async () => questions,
      answer: async (id, key, answer) => {
        sent.push({ id, key, answer });
        return 'taken';
      },
      now: () => now,
    };
    const stream = { write: tell };
    const output = new StreamOutput(stream, stream, {});
    return approveCommand(service, words === undefined ? undefined : person, undefined, options, output);
  };

  it('allows a call with the PIN', async () => {
    expect(await approve(['y', '246810'], [QUESTION])).to.equal(0);
    expect(sent).to.deep.equal([{ id: 'apr_1', key: 'key', answer: { accept: true } }]);
    expect(said).to.include('a.txt').and.include('/w').and.include('Deletes a file');
  });

  it('sends nothing with a wrong PIN, without a terminal, or for later', async () => {
    expect(await approve(['y', '000000'], [QUESTION])).to.equal(1);
    expect(await approve(undefined, [QUESTION])).to.equal(4);
    expect(await approve([''], [QUESTION])).to.equal(0);
    expect(await approve(['y', '246810'], [QUESTION], {}, false), 'no PIN is set').to.equal(4);
    expect(sent).to.deep.equal([]);
  });

  it('declines with a reason', async () => {
    await approve(['n', 'keep it', '246810'], [QUESTION]);
    expect(sent[0]?.answer).to.deep.equal({ accept: false, reason: 'keep it' });
  });

  it('asks for the PIN each time, unless it is told for how long', async () => {
    const two = [QUESTION, { ...QUESTION, id: 'apr_2' }];
    await approve(['y', '246810', 'y', 'wrong'], two);
    expect(sent.map(({ id }) => id)).to.deep.equal(['apr_1']);
    sent = [];
    await approve(['y', '246810', 'y'], two, { for: 1000 });
    expect(sent.map(({ id }) => id)).to.deep.equal(['apr_1', 'apr_2']);
  });

  it('has a phrase typed', async () => {
    await approve(['y', 'delete a.txt', '246810'], [{ ...QUESTION, phrase: 'delete a.txt' }]);
    expect(sent[0]?.answer).to.deep.equal({ accept: true, typed: 'delete a.txt' });
  });

  it('sets a PIN that is typed twice, and another one only with the one before', async () => {
    expect(await approve(['135791', '135791'], [], { setPin: true }, false)).to.equal(0);
    expect(await approve(['135791', '135792'], [], { setPin: true }, false)).to.equal(1);
    expect(await approve(['999999', '135791', '135791'], [], { setPin: true })).to.equal(1);
    expect(pins).to.deep.equal(['135791']);
  });

  it('shows nothing that could move the cursor or pass for another line', () => {
    const text = questionText({
      ...QUESTION,
      consequences: 'one\u001b[2Jtwo\nthree',
      arguments: { path: '\u202egnp.exe\u009b1A' },
    });
    expect(text).to.not.match(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    expect(text.split('\n')).to.have.length(5);
  });
});
