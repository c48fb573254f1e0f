import { expect } from 'chai';
import { describe, it } from 'mocha';
import { commandLimits, timeLimit } from '../../../src/application/command/command-limits.js';
import type { Obligations } from '../../../src/domain/permission/policy/obligations.js';
import { SILENT_OBLIGATIONS } from '../../support/silent-obligations.js';

function under(limits: Obligations['limits'], timeoutNamed: boolean): Obligations {
  return { ...SILENT_OBLIGATIONS, limits, timeoutNamed };
}

describe('The limits of a command', () => {
  it('S4-12: give it 30 s where the policy says nothing', () => {
    expect(commandLimits(under({}, false)).timeoutMs).to.equal(30_000);
  });

  it('let the argument shorten the time and never lengthen it', () => {
    expect(commandLimits(under({}, false), { timeout: 5 }).timeoutMs).to.equal(5_000);
    expect(commandLimits(under({}, false), { timeout: 500 }).timeoutMs).to.equal(30_000);
    expect(commandLimits(under({ timeoutMs: 600_000 }, true), { timeout: 500 }).timeoutMs).to.equal(500_000);
    expect(commandLimits(under({ timeoutMs: 10_000 }, true), { timeout: 500 }).timeoutMs).to.equal(10_000);
  });

  it('S4-12: take a longer time, also as the default, only from the entry of the tool itself', () => {
    expect(commandLimits(under({ timeoutMs: 600_000 }, false)).timeoutMs).to.equal(30_000);
    expect(commandLimits(under({ timeoutMs: 600_000 }, true)).timeoutMs).to.equal(600_000);
  });

  it('give as much of the processor as it takes where only the ttl of the background bounds the time', () => {
    const background = { max: 4, ttlMs: 3_600_000 };
    expect(commandLimits(under({}, false), {}, background)).not.to.have.property('cpuSeconds');
    expect(commandLimits(under({ timeoutMs: 60_000 }, true), {}, background)).not.to.have.property(
      'cpuSeconds',
    );
    expect(commandLimits(under({}, false), { timeout: 10 }, background).cpuSeconds).to.equal(80);
    expect(commandLimits(under({ timeoutMs: 20_000 }, true), {}, background).cpuSeconds).to.equal(160);
    expect(commandLimits(under({}, false)).cpuSeconds).to.equal(240);
  });

  it("apply the policy's timeout before the answer, and the ttl of the background after it", () => {
    const background = { max: 4, ttlMs: 3_600_000 };
    const policy = under({ timeoutMs: 20_000 }, true);
    const rows = [
      [{}, 20_000],
      [{ wait: 20 }, 20_000],
      [{ wait: 19 }, 3_600_000],
      [{ background: true }, 3_600_000],
      [{ background: true, timeout: 60 }, 60_000],
      [{ wait: 10, timeout: 5 }, 5_000],
      [{ timeout: 60 }, 20_000],
    ] as const;
    for (const [asked, expected] of rows)
      expect(commandLimits(policy, asked, background).timeoutMs, JSON.stringify(asked)).to.equal(expected);
    expect(timeLimit(policy, {}, background).setting).to.equal('timeout');
    expect(timeLimit(policy, { wait: 1 }, background).setting).to.equal('background.ttl');
    expect(commandLimits(policy, {}, { max: 4, ttlMs: 9_000 }).timeoutMs).to.equal(9_000);
  });

  it("are the policy's own where it has them", () => {
    const limits = commandLimits(
      under({ processes: 7, memoryBytes: 9, openFiles: 8, maxFileBytes: 6 }, false),
      { timeout: 1 },
    );
    expect(limits).to.include({ processes: 7, memoryBytes: 9, openFiles: 8, fileBytes: 6 });
  });
});
