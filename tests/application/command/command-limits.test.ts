import { expect } from 'chai';
import { describe, it } from 'mocha';
import { commandLimits } from '../../../src/application/command/command-limits.js';
import type { Obligations } from '../../../src/domain/permission/policy/obligations.js';
import { SILENT_OBLIGATIONS } from '../../support/silent-obligations.js';

function under(limits: Obligations['limits'], timeoutNamed: boolean): Obligations {
  return { ...SILENT_OBLIGATIONS, limits, timeoutNamed };
}

describe('The limits of a command', () => {
  it('S4-12: give it 30 s where the policy says nothing', () => {
    expect(commandLimits(under({}, false), undefined).timeoutMs).to.equal(30_000);
  });

  it('let the argument shorten the time and never lengthen it', () => {
    expect(commandLimits(under({}, false), 5).timeoutMs).to.equal(5_000);
    expect(commandLimits(under({}, false), 500).timeoutMs).to.equal(30_000);
    expect(commandLimits(under({ timeoutMs: 600_000 }, true), 500).timeoutMs).to.equal(500_000);
    expect(commandLimits(under({ timeoutMs: 10_000 }, true), 500).timeoutMs).to.equal(10_000);
  });

  it('S4-12: take a longer time, also as the default, only from the entry of the tool itself', () => {
    expect(commandLimits(under({ timeoutMs: 600_000 }, false), undefined).timeoutMs).to.equal(30_000);
    expect(commandLimits(under({ timeoutMs: 600_000 }, true), undefined).timeoutMs).to.equal(600_000);
  });

  it('give as much of the processor as it takes where only the ttl of the background bounds the time', () => {
    const background = { max: 4, ttlMs: 3_600_000 };
    expect(commandLimits(under({}, false), undefined, background)).not.to.have.property('cpuSeconds');
    expect(commandLimits(under({}, false), 10, background).cpuSeconds).to.equal(80);
    expect(commandLimits(under({ timeoutMs: 60_000 }, true), undefined, background).cpuSeconds).to.equal(480);
    expect(commandLimits(under({}, false), undefined).cpuSeconds).to.equal(240);
  });

  it("are the policy's own where it has them", () => {
    const limits = commandLimits(
      under({ processes: 7, memoryBytes: 9, openFiles: 8, maxFileBytes: 6 }, false),
      1,
    );
    expect(limits).to.include({ processes: 7, memoryBytes: 9, openFiles: 8, fileBytes: 6 });
  });
});
