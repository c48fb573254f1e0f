import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ToolErrorKind } from '../../../src/domain/tool/tool-error.js';
import { ToolStats } from '../../../src/domain/tool/tool-stats.js';

const kinds: fc.Arbitrary<ToolErrorKind | undefined> = fc.constantFrom(
  undefined,
  'timeout',
  'execution',
  'invalid-input',
);
const durations = fc.double({ min: 0, max: 60_000, noNaN: true });

function exactPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

describe('ToolStats', () => {
  it('S3-22: counts calls, failures by kind, timeouts and total time exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), kinds)), (calls) => {
        const stats = new ToolStats();
        for (const [ms, kind] of calls) stats.record(ms, kind);
        const snapshot = stats.snapshot();
        const failed = calls.flatMap(([, kind]) => (kind === undefined ? [] : [kind]));
        expect(snapshot.invocations).to.equal(calls.length);
        expect(snapshot.failures).to.equal(failed.length);
        expect(snapshot.timeouts).to.equal(failed.filter((kind) => kind === 'timeout').length);
        expect(snapshot.total_ms).to.equal(calls.reduce((sum, [ms]) => sum + ms, 0));
        expect(snapshot.max_ms).to.equal(Math.max(0, ...calls.map(([ms]) => ms)));
        const byKind: Partial<Record<ToolErrorKind, number>> = {};
        for (const kind of failed) byKind[kind] = (byKind[kind] ?? 0) + 1;
        expect(snapshot.failures_by_kind).to.deep.equal(byKind);
      }),
    );
  });

  it('S3-22: its percentiles are those of the sorted list, to a tenth', () => {
    fc.assert(
      fc.property(fc.array(durations, { minLength: 1, maxLength: 300 }), (list) => {
        const stats = new ToolStats();
        for (const ms of list) stats.record(ms);
        const sorted = [...list].sort((a, b) => a - b);
        const { p50_ms, p95_ms, p99_ms } = stats.snapshot();
        for (const [share, told] of [
          [0.5, p50_ms],
          [0.95, p95_ms],
          [0.99, p99_ms],
        ] as const) {
          const exact = exactPercentile(sorted, share);
          // The smallest bucket ends at 10 µs, and figures are rounded to a microsecond.
          expect(told).to.be.at.least(exact - 0.001);
          expect(told).to.be.at.most(Math.max(0.01, exact * 1.1) + 0.001);
        }
      }),
    );
  });

  it('grows from p50 to the maximum', () => {
    const stats = new ToolStats();
    for (let ms = 1; ms <= 1000; ms += 1) stats.record(ms);
    const { p50_ms, p95_ms, p99_ms, max_ms } = stats.snapshot();
    expect([p50_ms, p95_ms, p99_ms, max_ms]).to.deep.equal(
      [...[p50_ms, p95_ms, p99_ms, max_ms]].sort((a, b) => a - b),
    );
    expect(max_ms).to.equal(1000);
  });

  it('is all zero before the first call', () => {
    expect(new ToolStats().snapshot()).to.deep.equal({
      invocations: 0,
      failures: 0,
      timeouts: 0,
      failures_by_kind: {},
      total_ms: 0,
      p50_ms: 0,
      p95_ms: 0,
      p99_ms: 0,
      max_ms: 0,
    });
  });
});
