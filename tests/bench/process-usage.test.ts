import { expect } from 'chai';
import { describe, it } from 'mocha';
import { cpuMicroseconds, parsePsTime, parseStatTicks, residentBytes } from '../../bench/process-usage.js';

describe('The CPU and memory of a measured process', () => {
  it('reads user and system ticks even when the process name looks like fields', () => {
    const line = '42 (a) b (c 9 9) S 1 42 42 0 -1 4194304 97 0 0 0 37 5 0 0 20 0 1 0 85508 3133440 359';
    expect(parseStatTicks(line)).to.equal(420_000);
  });

  it('understands the clock of ps with and without hours and days', () => {
    expect(parsePsTime('  0:01.25\n')).to.equal(1_250_000);
    expect(parsePsTime('01:02:03')).to.equal(3_723_000_000);
    expect(parsePsTime('2-00:00:01')).to.equal(172_801_000_000);
  });

  it('sees the CPU time of a process grow by what the process itself reports', () => {
    // A slice that is still running is counted when it ends, which is a few milliseconds later.
    const slice = 50_000;
    const own = process.cpuUsage();
    const before = cpuMicroseconds(process.pid);
    const inner = process.cpuUsage();
    let spent = process.cpuUsage(inner);
    while (spent.user + spent.system < 200_000) spent = process.cpuUsage(inner);
    const seen = cpuMicroseconds(process.pid) - before;
    const all = process.cpuUsage(own);
    expect(seen).to.be.within(spent.user + spent.system - slice, all.user + all.system + slice);
  });

  it('reports resident memory of the size the process reports', () => {
    expect(residentBytes(process.pid) / process.memoryUsage.rss()).to.be.within(0.7, 1.4);
  });
});
