import { expect } from 'chai';
import {
  AuditStream,
  PermanentRefusal,
  type RecordReceiver,
  type StreamOptions,
} from '../../../../src/infrastructure/observability/stream/audit-stream.js';
import { eventually } from '../../../support/eventually.js';

/** Takes batches as the test says; `answer` decides about each. */
class ScriptedReceiver implements RecordReceiver {
  readonly batches: (readonly string[])[] = [];
  isClosed = false;
  answer: () => Promise<void> = async () => undefined;

  async deliver(records: readonly string[]): Promise<void> {
    this.batches.push(records);
    await this.answer();
  }

  close(): void {
    this.isClosed = true;
  }
}

interface Report {
  readonly problem: string | undefined;
  readonly missed: number;
}

describe('AuditStream', () => {
  const open = (options: Partial<StreamOptions> = {}) => {
    const receiver = new ScriptedReceiver();
    const reports: Report[] = [];
    const report = (problem: string | undefined, missed: number) => reports.push({ problem, missed });
    return { receiver, reports, stream: new AuditStream(receiver, { retryMs: 1, ...options, report }) };
  };
  const never = () => new Promise<void>(() => undefined);

  it('passes records on in their order, each once', async () => {
    const { receiver, reports, stream } = open();
    for (let n = 0; n < 1200; n += 2) stream.send(`${n}\n${n + 1}\n`);
    await stream.close();
    expect(receiver.batches.flat()).to.deep.equal(Array.from({ length: 1200 }, (_, n) => String(n)));
    expect(receiver.batches.every(({ length }) => length <= 500)).to.equal(true);
    expect(reports).to.deep.equal([]);
    expect(receiver.isClosed).to.equal(true);
  });

  it('sends no batch beyond its size, but a single longer record whole', async () => {
    const { receiver, stream } = open();
    const long = 'x'.repeat(300_000);
    const longest = 'y'.repeat(900_000);
    stream.send(`first\n`);
    stream.send(`${long}\n${long}\n${longest}\n`);
    await stream.close();
    expect(receiver.batches.map((batch) => batch.map(({ length }) => length))).to.deep.equal([
      [5],
      [300_000],
      [300_000],
      [900_000],
    ]);
  });

  it('tries again after a failure, reports it once, and says when records are taken again', async () => {
    const { receiver, reports, stream } = open();
    let refusals = 3;
    receiver.answer = async () => {
      refusals -= 1;
      if (refusals >= 0) throw new Error('away');
    };
    stream.send('a\n');
    stream.send('b\n');
    await eventually('a record is taken', () => reports.length === 2);
    await stream.close();
    expect(receiver.batches.slice(0, 3)).to.deep.equal([['a'], ['a', 'b'], ['a', 'b']]);
    expect(receiver.batches.slice(3).flat()).to.deep.equal(['a', 'b']);
    expect(reports).to.deep.equal([
      { problem: 'away', missed: 0 },
      { problem: undefined, missed: 0 },
    ]);
  });

  it('keeps a bounded number of characters, drops the oldest records and counts them', async () => {
    const { receiver, reports, stream } = open({ waiting: 50, lastMs: 1 });
    let release: () => void = () => undefined;
    receiver.answer = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    stream.send('first-one!\n');
    for (let n = 0; n < 100; n += 1) stream.send(`record-${String(n).padStart(3, '0')}\n`);
    receiver.answer = async () => undefined;
    release();
    await eventually('the rest is delivered', () => receiver.batches.length === 2);
    expect(receiver.batches[1]).to.deep.equal([95, 96, 97, 98, 99].map((n) => `record-0${n}`));
    await eventually('the loss is reported', () => reports.length > 0);
    expect(reports).to.deep.equal([{ problem: undefined, missed: 95 }]);
    await stream.close();
  });

  it('does not send again what will never be taken, and goes on with the next', async () => {
    const { receiver, reports, stream } = open();
    receiver.answer = async () => {
      receiver.answer = async () => undefined;
      throw new PermanentRefusal('not for me');
    };
    stream.send('a\nb\n');
    stream.send('c\n');
    await stream.close();
    expect(receiver.batches).to.deep.equal([['a', 'b'], ['c']]);
    expect(reports).to.deep.equal([
      { problem: 'not for me', missed: 2 },
      { problem: undefined, missed: 2 },
    ]);
  });

  it('counts only the records that a partial refusal names', async () => {
    const { receiver, reports, stream } = open();
    receiver.answer = async () => {
      throw new PermanentRefusal('one of them', 1);
    };
    stream.send('a\nb\nc\n');
    await stream.close();
    expect(reports[0]).to.deep.equal({ problem: 'one of them', missed: 1 });
  });

  it('ends in a bounded time and counts what is on its way and what waits', async () => {
    const { receiver, reports, stream } = open({ lastMs: 1 });
    receiver.answer = never;
    stream.send('a\nb\n');
    stream.send('c\n');
    await stream.close();
    expect(receiver.isClosed).to.equal(true);
    expect(reports).to.deep.equal([{ problem: 'the server ends', missed: 3 }]);
    stream.send('after the end\n');
    expect(receiver.batches).to.deep.equal([['a', 'b']]);
  });

  it('tries once more at the end though it waits for the next try', async () => {
    const { receiver, stream } = open({ retryMs: 3_600_000 });
    let refuses = true;
    receiver.answer = async () => {
      if (refuses) throw new Error('away');
    };
    stream.send('a\n');
    await eventually('the first try', () => receiver.batches.length === 1);
    refuses = false;
    await stream.close();
    expect(receiver.batches).to.deep.equal([['a'], ['a']]);
  });
});
