import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CallJournal } from '../../../src/application/tool/call-journal.js';
import { Result } from '../../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import {
  callCancelled,
  toolFailure,
  toolNotFound,
  toolTimedOut,
} from '../../../src/domain/tool/tool-error.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { CallObservers } from '../../../src/infrastructure/observability/call-observers.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
import { InMemoryToolStatistics } from '../../../src/infrastructure/tool/in-memory-tool-statistics.js';
import {
  ManualClock,
  RecordingAuditLog,
  RecordingLogger,
  SequentialIds,
} from '../../../src/testing/testing.js';
import { mustFail, sampleTool } from '../../support/sample-tool.js';

const session = Session.create('s', LOCAL_EMBEDDED);

function setUp() {
  const observers = new CallObservers();
  const audit = new RecordingAuditLog();
  const statistics = new InMemoryToolStatistics();
  const logger = new RecordingLogger();
  const clock = new ManualClock();
  return {
    statistics,
    logger,
    clock,
    journal: new CallJournal(
      audit,
      statistics,
      logger,
      builtinRedactor,
      clock,
      new SequentialIds(),
      observers,
    ),
    audit,
    observers,
  };
}

describe('CallJournal', () => {
  it('S3-22: counts a call under its canonical name with its duration', async () => {
    const { journal, clock, statistics } = setUp();
    const entry = journal.open('Echo', {});
    entry.found = { session, tool: sampleTool({ name: 'echo' }) };
    clock.advance(25);
    await journal.close(entry, Result.ok(ToolResult.text('x')));
    expect(statistics.of('echo')).to.include({ invocations: 1, failures: 0, total_ms: 25, max_ms: 25 });
    expect([...statistics.all().keys()]).to.deep.equal(['echo']);
  });

  it('S3-44: a failure is logged with its tool and its arguments', async () => {
    const { journal, logger } = setUp();
    const entry = journal.open('Echo', { message: 'x'.repeat(150) });
    entry.found = { session, tool: sampleTool({ name: 'echo' }) };
    await journal.close(entry, toolFailure(toolTimedOut(10)));
    const record = logger.records.find(({ message }) => /^Call to echo failed/.test(message));
    expect(record?.fields).to.deep.include({ kind: 'timeout', tool: 'echo' });
    expect(JSON.stringify(record?.fields)).to.include('x... [150 chars]');
  });

  it('S3-16: a timeout counts as one', async () => {
    const { journal, statistics } = setUp();
    const entry = journal.open('echo', {});
    entry.found = { session, tool: sampleTool({ name: 'echo' }) };
    await journal.close(entry, toolFailure(toolTimedOut(10)));
    expect(statistics.of('echo')).to.include({ invocations: 1, failures: 1, timeouts: 1 });
  });

  it('keeps no counter for names that callers make up', async () => {
    const { journal, statistics } = setUp();
    await journal.close(journal.open('made_up', {}), toolFailure(toolNotFound('made_up')));
    expect(statistics.all().size).to.equal(0);
  });

  it('S3-23, S3-18: logs a failure under its correlation id, arguments cut and clean', async () => {
    const { journal, logger } = setUp();
    await journal.close(journal.open('echo', { token: 'hunter2', n: 1 }), toolFailure(callCancelled()));
    expect(logger.records).to.have.length(1);
    expect(logger.records[0]).to.deep.include({
      level: 'debug',
      message: 'Call to echo failed: The call was cancelled by the caller.',
    });
    const fields = JSON.stringify(logger.records[0]?.fields);
    expect(fields).to.contain('id-1').and.not.to.contain('hunter2');
  });

  it('S1-07: every call is in the audit, refused ones too, with what became of it', async () => {
    const { journal, audit, clock } = setUp();
    const entry = journal.open('echo', {});
    entry.found = { session, tool: sampleTool({ name: 'echo' }) };
    clock.advance(5);
    await journal.close(entry, Result.ok(ToolResult.text('four')));
    await journal.close(journal.open('made_up', {}), toolFailure(toolNotFound('made_up')));
    expect(audit.outcomes.map(({ call, outcome }) => [call.tool, outcome])).to.deep.equal([
      ['echo', { kind: 'success', durationMs: 5, bytes: 4 }],
      ['made_up', { kind: 'refused', errorType: 'ToolNotFoundError', durationMs: 0, bytes: 0 }],
    ]);
  });

  it('records the intent of a call that changes something before it runs, and of no other', async () => {
    const { journal, audit } = setUp();
    for (const readOnly of [true, false]) {
      const entry = journal.open('sample', {});
      entry.found = { session, tool: sampleTool({ hints: { readOnly } }) };
      expect((await journal.intend(entry)).success).to.equal(true);
    }
    expect(audit.intents).to.have.length(1);
  });

  it('S3-43: a fault of the pipeline is logged whole and told as an internal error only', () => {
    const { journal, logger } = setUp();
    const error = new Error('secret place /etc/x');
    const envelope = mustFail(journal.fault(journal.open('echo', {}), error)).toEnvelope();
    expect(envelope).to.include({ error_type: 'InternalError', error_code: -32603 });
    expect(JSON.stringify(envelope)).not.to.contain('secret place');
    expect(envelope.error_details).to.deep.equal({ correlation_id: 'id-1' });
    expect(logger.records[0]).to.deep.include({ level: 'error', fields: { correlationId: 'id-1', error } });
  });
});
