import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import type { CalculationTask } from '../../../src/infrastructure/calculation/calculation-task.js';
import { Calculations } from '../../../src/infrastructure/calculation/calculations.js';
import { eventually } from '../../support/eventually.js';

const HITS = (value: unknown): value is readonly { line: number; column: number }[] => Array.isArray(value);
const NUMBER = (value: unknown): value is number => typeof value === 'number';

/** Native code that is busy for hours. */
const ENDLESS: Extract<CalculationTask, { kind: 'syntax' }> = {
  kind: 'syntax',
  grammar: 'Tsx',
  rule: { pattern: '$A', inside: { stopBy: 'end', has: { stopBy: 'end', pattern: 'zzz' } } },
  code: `${'('.repeat(8000)}1${')'.repeat(8000)}`,
};
const match = (text: string) => ({ kind: 'first-match', source: 'b+', ignoreCase: true, text }) as const;

describe('Calculations', () => {
  let ended: (() => void) | undefined;
  afterEach(() => ended?.());

  function calculations(taskMs = 60_000, idleMs = 60_000): Calculations {
    const made = new Calculations(taskMs, idleMs);
    ended = () => made.pid !== undefined && process.kill(made.pid, 'SIGKILL');
    return made;
  }

  it('starts no process before there is something to do, and keeps it for the next task', async () => {
    const worker = calculations();
    expect(worker.pid).to.equal(undefined);
    expect(await worker.run(match('aaB'), NUMBER)).to.deep.include({ success: true, value: 2 });
    const { pid } = worker;
    expect(pid).to.be.a('number');
    const syntax = { kind: 'syntax', grammar: 'Tsx', rule: 'f($A)', code: 'x;\nf(1);' } as const;
    expect(await worker.run(syntax, HITS)).to.deep.include({ value: [{ line: 2, column: 1 }] });
    expect(worker.pid).to.equal(pid);
  });

  it('passes on what the library says about a rule', async () => {
    const worker = calculations();
    const refused = await worker.run({ ...match(''), source: '(' }, NUMBER);
    expect(!refused.success && refused.errorType).to.equal('Refused');
    expect(!refused.success && refused.error).to.include('missing');
  });

  it('ends native code when the call is cancelled, and goes on with the next task', async () => {
    const worker = calculations();
    await worker.run(match('b'), NUMBER);
    const { pid = 0 } = worker;
    const before = processorTicks(pid);
    const call = new AbortController();
    const endless = worker.run(ENDLESS, HITS, call.signal);
    const next = worker.run(match('ab'), NUMBER);
    await eventually('the native code runs', () => processorTicks(pid) > before + 20);
    call.abort();
    const stopped = await endless;
    expect(!stopped.success && stopped.errorType).to.equal('Interrupted');
    await eventually('the process has gone', () => !isAlive(pid));
    expect(await next).to.deep.include({ value: 1 });
  });

  it('ends what takes longer than a task may', async () => {
    const worker = calculations(300);
    const stopped = await worker.run(ENDLESS, HITS);
    expect(!stopped.success && stopped.error).to.include('took longer than 0.3 s');
  });

  it('does not begin what was cancelled while it waited', async () => {
    const worker = calculations();
    const call = new AbortController();
    call.abort();
    const stopped = await worker.run(match('b'), NUMBER, call.signal);
    expect(!stopped.success && stopped.error).to.equal('the call was cancelled');
    expect(worker.pid).to.equal(undefined);
  });

  it('survives the death of its process', async () => {
    const worker = calculations();
    await worker.run(match('b'), NUMBER);
    const endless = worker.run(ENDLESS, HITS);
    await eventually('the task has begun', () => worker.pid !== undefined);
    process.kill(worker.pid ?? 0, 'SIGKILL');
    const stopped = await endless;
    expect(!stopped.success && stopped.errorType).to.equal('Interrupted');
    expect(await worker.run(match('b'), NUMBER)).to.deep.include({ value: 0 });
  });

  it('ends the process when there was nothing to do for a while', async () => {
    const worker = calculations(60_000, 50);
    await worker.run(match('b'), NUMBER);
    await eventually('the process has gone', () => worker.pid === undefined);
  });
});

/** Hundredths of a second that a process has worked. */
function processorTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
