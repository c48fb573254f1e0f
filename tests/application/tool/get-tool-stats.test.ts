import { expect } from 'chai';
import { describe, it } from 'mocha';
import { GetToolStatsHandler } from '../../../src/application/tool/get-tool-stats.js';
import { CockatielBreakers } from '../../../src/infrastructure/tool/cockatiel-breakers.js';
import { InMemoryToolRegistry } from '../../../src/infrastructure/tool/in-memory-tool-registry.js';
import { InMemoryToolStatistics } from '../../../src/infrastructure/tool/in-memory-tool-statistics.js';
import { ManualClock, RecordingLogger } from '../../../src/testing/testing.js';
import { mustFail, mustValue, runnable } from '../../support/sample-tool.js';

function counted() {
  const statistics = new InMemoryToolStatistics();
  const tools = new InMemoryToolRegistry({ prefix: '' });
  for (const name of ['echo', 'read']) tools.register(runnable({ name }));
  statistics.record('echo', 2);
  statistics.record('echo', 3, 'timeout');
  statistics.record('read', 5, 'execution');
  statistics.record('gone', 7);
  return new GetToolStatsHandler(
    statistics,
    new CockatielBreakers(new ManualClock(), new RecordingLogger()),
    tools,
  );
}

describe('The figures of tools', () => {
  it('S3-22: are those of all tools there are, each by its name and all together', () => {
    const { total, tools } = mustValue(counted().handle({}));
    expect(total).to.deep.equal({ invocations: 3, failures: 2, timeouts: 1, total_ms: 10 });
    expect(Object.keys(tools)).to.deep.equal(['echo', 'read']);
    expect(tools.echo).to.include({ invocations: 2, failures: 1, timeouts: 1, breaker: 'closed' });
  });

  it('are those of one tool, by any spelling of its name', () => {
    const { total, tools } = mustValue(counted().handle({ tool: 'Read' }));
    expect(Object.keys(tools)).to.deep.equal(['read']);
    expect(total).to.include({ invocations: 1, failures: 1, timeouts: 0 });
  });

  it('are not had of a tool that is not there, which is named', () => {
    const failure = mustFail(counted().handle({ tool: 'x'.repeat(200) }));
    expect(failure.error.message).to.contain(`There is no tool ${'x'.repeat(100)};`);
    expect(failure.errorType).to.equal('NotFoundError');
  });
});
