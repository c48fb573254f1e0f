import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { BackgroundProcess } from '../../../../src/application/command/background/background-process.js';
import { processReport } from '../../../../src/application/command/background/process-report.js';
import {
  IDLE_MS,
  type WaitFor,
  waitForProcess,
} from '../../../../src/application/command/background/wait-for-process.js';
import { Result } from '../../../../src/domain/result.js';
import { ManualTime } from '../../../support/manual-time.js';
import { SILENT_OBLIGATIONS } from '../../../support/silent-obligations.js';

const FACTS = { id: 'p_1', sessionId: 's', callerId: 'c', command: 'x', startedMs: 0 };
const EXITED = Result.ok(
  { exit_code: 3, stdout: '', stderr: '', duration_ms: 1, truncated: false, sandbox: 'none' },
  { instruction: 'The network is off.' },
);

describe('Waiting for a process', () => {
  let time: ManualTime;
  let process: BackgroundProcess;
  let isDone: boolean;

  beforeEach(() => {
    time = new ManualTime();
    process = new BackgroundProcess(FACTS, () => time.elapsed());
    isDone = false;
  });

  const print = (text: string): void => process.took(new TextEncoder().encode(text));
  const begin = (what: WaitFor | undefined, ms: number): void => {
    const { signal } = new AbortController();
    const seen = process.output.end;
    void waitForProcess(process, { what, seen, ms }, time, signal).then(() => {
      isDone = true;
    });
  };
  const isOver = async (): Promise<boolean> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return isDone;
  };

  it('ends with anything new where nothing is named', async () => {
    begin(undefined, 1_000);
    expect(await isOver()).to.equal(false);
    print('a');
    expect(await isOver()).to.equal(true);
  });

  it('for a line ends with a whole one, and not with what was there before', async () => {
    print('old\n');
    begin('line', 1_000);
    print('half');
    expect(await isOver()).to.equal(false);
    print(' whole\nand half');
    expect(await isOver()).to.equal(true);
  });

  it('for the exit goes on whatever it prints', async () => {
    begin('exit', 1_000);
    print('a\nb\n');
    expect(await isOver()).to.equal(false);
    process.finish(EXITED);
    expect(await isOver()).to.equal(true);
  });

  it('for silence needs output first, and then a pause', async () => {
    begin('idle', 10_000);
    time.advance(2 * IDLE_MS);
    expect(await isOver()).to.equal(false);
    print('a');
    await isOver();
    time.advance(IDLE_MS - 1);
    print('b');
    await isOver();
    time.advance(IDLE_MS - 1);
    expect(await isOver()).to.equal(false);
    time.advance(1);
    expect(await isOver()).to.equal(true);
  });

  for (const what of ['exit', 'line', 'idle'] as const)
    it(`for ${what} lasts as long as asked and no longer`, async () => {
      begin(what, 1_000);
      time.advance(999);
      expect(await isOver()).to.equal(false);
      time.advance(1);
      expect(await isOver()).to.equal(true);
    });

  it('for silence lasts no longer than asked though it never pauses', async () => {
    begin('idle', 1_000);
    for (let count = 0; count < 10; count += 1) {
      print('x');
      await isOver();
      time.advance(100);
    }
    expect(await isOver()).to.equal(true);
  });

  it('says how it ended once, and shows its output once', async () => {
    print('first\n');
    process.finish(EXITED);
    const report = () => processReport(process, process.shown, SILENT_OBLIGATIONS);
    const [first, second] = [await report(), await report()];
    expect(first.success && [first.value.output, first.notes.instruction]).to.deep.equal([
      'first\n',
      'The network is off.',
    ]);
    expect(second.success && [second.value.output, second.value.exit_code]).to.deep.equal(['', 3]);
    expect(second.notes.instruction).to.equal(undefined);
  });
});
