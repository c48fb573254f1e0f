import { expect } from 'chai';
import { describe, it } from 'mocha';
import { InMemoryToolStatistics } from '../../../src/infrastructure/tool/in-memory-tool-statistics.js';

describe('InMemoryToolStatistics', () => {
  it('S3-22, S3-06: counts and times each tool by its name', () => {
    const statistics = new InMemoryToolStatistics();
    statistics.record('echo', 5);
    statistics.record('echo', 15, 'timeout');
    statistics.record('read', 1, 'execution');
    expect(statistics.of('echo')).to.include({ invocations: 2, failures: 1, timeouts: 1, total_ms: 20 });
    expect(statistics.of('read')).to.deep.include({ invocations: 1, failures_by_kind: { execution: 1 } });
    expect(statistics.of('other')).to.equal(undefined);
    expect([...statistics.all().keys()]).to.deep.equal(['echo', 'read']);
  });

  it('gives a snapshot that does not move', () => {
    const statistics = new InMemoryToolStatistics();
    statistics.record('echo', 5);
    const before = statistics.all();
    statistics.record('echo', 5);
    expect(before.get('echo')).to.include({ invocations: 1 });
  });
});
