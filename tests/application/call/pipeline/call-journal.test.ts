import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CallJournal } from '../../../../src/application/call/pipeline/call-journal.js';
import type { CallVerdict } from '../../../../src/application/permission/authorise-call.js';
import type { AuditLog } from '../../../../src/application/ports/audit/audit-log.js';
import type { ObservedCall } from '../../../../src/application/ports/system/call-observer.js';
import { deny } from '../../../../src/domain/permission/policy/decision.js';
import type { Obligations } from '../../../../src/domain/permission/policy/obligations.js';
import { Result } from '../../../../src/domain/result.js';
import { LOCAL_EMBEDDED } from '../../../../src/domain/session/caller.js';
import { Session } from '../../../../src/domain/session/session.js';
import {
  callCancelled,
  executionFailed,
  invalidInput,
  limitExceeded,
  permissionDenied,
  toolFailure,
  toolNotFound,
  toolTimedOut,
} from '../../../../src/domain/tool/tool-error.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { CallObservers } from '../../../../src/infrastructure/observability/call-observers.js';
import { builtinRedactor } from '../../../../src/infrastructure/observability/redaction.js';
import { InMemoryToolStatistics } from '../../../../src/infrastructure/tool/in-memory-tool-statistics.js';
import {
  ManualClock,
  RecordingAuditLog,
  RecordingLogger,
  SequentialIds,
} from '../../../../src/testing/testing.js';
import { mustFail, sampleTool } from '../../../support/sample-tool.js';
import { SILENT_OBLIGATIONS } from '../../../support/silent-obligations.js';

const session = Session.create('s', LOCAL_EMBEDDED);
const FOUND = { session, principal: 'somebody', detail: 'hashed' } as const;

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

function partsWith(audit: AuditLog): ConstructorParameters<typeof CallJournal> {
  const clock = new ManualClock();
  const statistics = new InMemoryToolStatistics();
  return [
    audit,
    statistics,
    new RecordingLogger(),
    builtinRedactor,
    clock,
    new SequentialIds(),
    new CallObservers(),
  ];
}

const RULE = { file: 'testing', line: 1, column: 1 };

function granted(said: Partial<Obligations>): CallVerdict {
  const obligations = { ...SILENT_OBLIGATIONS, ...said };
  return { granted: true, decision: { effect: 'allow', rule: RULE, obligations }, obligations };
}

function denied(reason: 'NO_ALLOW'): CallVerdict {
  const decision = deny(reason, { kind: 'tool', text: 'echo' }, 'not listed', 'ask');
  return { granted: false, decision, error: permissionDenied(reason, 'not listed') };
}

const DONE = Result.ok(ToolResult.text('x'));
const LATE = toolFailure(toolTimedOut(10));
const NOWHERE = toolFailure(toolNotFound('made_up'));

describe('CallJournal', () => {
  it('S3-22: counts a call under its canonical name with its duration', async () => {
    const { journal, clock, statistics } = setUp();
    const entry = journal.open('Echo', {});
    entry.found = { ...FOUND, tool: sampleTool({ name: 'echo' }) };
    clock.advance(25);
    await journal.close(entry, Result.ok(ToolResult.text('x')));
    expect(statistics.of('echo')).to.include({ invocations: 1, failures: 0, total_ms: 25, max_ms: 25 });
    expect([...statistics.all().keys()]).to.deep.equal(['echo']);
  });

  it('S3-44: a failure is logged with its tool and its arguments', async () => {
    const { journal, logger } = setUp();
    const entry = journal.open('Echo', { message: 'x'.repeat(150) });
    entry.found = { ...FOUND, tool: sampleTool({ name: 'echo' }) };
    await journal.close(entry, toolFailure(toolTimedOut(10)));
    const record = logger.records.find(({ message }) => /^Call to echo failed/.test(message));
    expect(record?.fields).to.deep.include({ kind: 'timeout', tool: 'echo' });
    expect(JSON.stringify(record?.fields)).to.include('x... [150 chars]');
  });

  it('S3-16: a timeout counts as one', async () => {
    const { journal, statistics } = setUp();
    const entry = journal.open('echo', {});
    entry.found = { ...FOUND, tool: sampleTool({ name: 'echo' }) };
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
    entry.found = { ...FOUND, tool: sampleTool({ name: 'echo' }) };
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
      entry.found = { ...FOUND, tool: sampleTool({ hints: { readOnly } }) };
      expect((await journal.intend(entry)).success).to.equal(true);
    }
    expect(audit.intents).to.have.length(1);
  });

  it('records the intent of every call where the policy requires it, and only while it is granted', async () => {
    const { journal, audit } = setUp();
    for (const verdict of [granted({ auditRequired: true }), denied('NO_ALLOW')]) {
      const entry = journal.open('sample', {});
      entry.found = { ...FOUND, tool: sampleTool({ hints: { readOnly: true } }) };
      entry.verdict = verdict;
      expect((await journal.intend(entry)).success).to.equal(true);
    }
    expect(audit.intents.map(({ required }) => required)).to.deep.equal([true]);
    // Nobody knows yet what would run: nothing that could change something.
    expect((await journal.intend(journal.open('sample', {}))).success).to.equal(true);
    expect(audit.intents).to.have.length(1);
  });

  it('hands what the intent said and its ticket to the outcome', async () => {
    const { journal, audit } = setUp();
    const entry = journal.open('sample', {});
    entry.found = { ...FOUND, tool: sampleTool({ hints: { readOnly: false } }) };
    await journal.intend(entry);
    await journal.close(entry, Result.ok(ToolResult.text('x')));
    expect(audit.outcomes[0]?.ticket).to.include({ segment: 'testing', record: 1 });
    expect(audit.outcomes[0]?.call).to.equal(audit.intents[0]?.call);
  });

  it('lets a call run that cannot be recorded, with a warning, unless the policy requires the record', async () => {
    const { journal, audit, logger } = setUp();
    audit.intent = async () => Result.failure('The disk is full.', 'AuditUnwritable');
    const intended = async (auditRequired: boolean) => {
      const entry = journal.open('sample', {});
      entry.found = { ...FOUND, tool: sampleTool({ hints: { readOnly: false } }) };
      entry.verdict = granted({ auditRequired });
      return journal.intend(entry);
    };
    expect((await intended(false)).success).to.equal(true);
    expect(mustFail(await intended(true)).toEnvelope()).to.include({ error_type: 'PermissionDeniedError' });
    expect(logger.records.map(({ level }) => level)).to.deep.equal(['warn', 'warn']);
  });

  it('waits for room where the audit log asks for it', async () => {
    const { journal, audit } = setUp();
    expect(journal.room()).to.equal(undefined);
    const room = Promise.resolve();
    expect(new CallJournal(...partsWith(Object.assign(audit, { room: () => room }))).room()).to.equal(room);
  });

  it('says nothing of a success to the log, and of a failure only to one that listens', async () => {
    const { journal, logger } = setUp();
    await journal.close(journal.open('echo', {}), Result.ok(ToolResult.text('x')));
    logger.enabled = () => false;
    await journal.close(journal.open('echo', {}), toolFailure(callCancelled()));
    expect(logger.records).to.deep.equal([]);
  });

  it('redacts a result where the policy says so, and nothing else', () => {
    const { journal } = setUp();
    const secret = Result.ok(ToolResult.text('key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA'));
    expect(journal.redacted(secret, SILENT_OBLIGATIONS)).to.equal(secret);
    const strict = { ...SILENT_OBLIGATIONS, redactResults: true };
    expect(JSON.stringify(journal.redacted(secret, strict))).not.to.contain('sk-ant-api03');
  });

  it('redacts what a failure says as well', () => {
    const { journal } = setUp();
    const key = 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA';
    const strict = { ...SILENT_OBLIGATIONS, redactResults: true };
    const problem = {
      parameter_name: 'a',
      issue: `a is ${key}`,
      expected: 'a text',
      received: key,
      hint: 'Give a text.',
    };
    for (const error of [
      executionFailed(`The output so far:\nkey ${key}`),
      { ...executionFailed('It failed.'), instruction: `Leave ${key} out.` },
      toolTimedOut(10, `Ended. ${key}`),
      limitExceeded(`Too much: ${key}`),
      invalidInput([problem]),
    ]) {
      const failed = toolFailure(error);
      expect(journal.redacted(failed, SILENT_OBLIGATIONS)).to.equal(failed);
      const { success: _, ...shown } = journal.redacted(failed, strict);
      expect(JSON.stringify(shown)).to.contain(error.kind).and.not.contain('sk-ant-api03');
    }
  });

  describe('tells those who watch', () => {
    const tool = sampleTool({ name: 'echo' });
    for (const [what, requested, found, verdict, outcome, expected] of [
      ['a success', 'Echo', { session, tool }, granted({}), DONE, { tool: 'echo' }],
      ['a failure', 'echo', { session, tool }, granted({}), LATE, { tool: 'echo', failure: 'timeout' }],
      [
        'a refusal',
        'echo',
        { session, tool },
        denied('NO_ALLOW'),
        LATE,
        { tool: 'echo', failure: 'timeout', reason: 'NO_ALLOW' },
      ],
      [
        'what nobody decided',
        'echo',
        { session, tool },
        undefined,
        LATE,
        { tool: 'echo', failure: 'timeout' },
      ],
      ['a resource that is read', 'adr://1', { session }, undefined, DONE, { tool: 'adr://1' }],
      [
        'a name that nothing has',
        'made_up',
        { session },
        undefined,
        NOWHERE,
        { tool: undefined, failure: 'not-found' },
      ],
      ['a call of nobody', 'echo', undefined, undefined, DONE, { tool: undefined }],
    ] as const) {
      it(what, async () => {
        const { journal, observers } = setUp();
        const seen: ObservedCall[] = [];
        observers.watch((call) => seen.push(call));
        const entry = journal.open(requested, {});
        if (found !== undefined) entry.found = { ...FOUND, ...found };
        if (verdict !== undefined) entry.verdict = verdict;
        await journal.close(entry, outcome);
        const caller = found?.session.caller;
        expect(seen).to.deep.equal([
          {
            correlationId: 'id-1',
            caller,
            principal: found && FOUND.principal,
            sessionId: found?.session.id,
            durationMs: 0,
            ...expected,
          },
        ]);
      });
    }
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

  it('has a decision about a call that is made elsewhere on the disk before it is told', async () => {
    const order: string[] = [];
    class Disk extends RecordingAuditLog {
      override async outcome(entry: Parameters<AuditLog['outcome']>[0]) {
        order.push('outcome');
        return super.outcome(entry);
      }
      override async flush() {
        order.push('flush');
        return super.flush();
      }
    }
    const journal = new CallJournal(...partsWith(new Disk()));
    const recorded = await journal.judged(journal.open('read_file', {}), undefined);
    expect(recorded.success).to.equal(true);
    expect(order).to.deep.equal(['outcome', 'flush']);
  });

  for (const [auditRequired, expected] of [
    [true, 'AUDIT_UNAVAILABLE'],
    [false, undefined],
  ] as const)
    it(`a decision that cannot be recorded ${auditRequired ? 'refuses the call' : 'stands'} if a record is ${auditRequired ? '' : 'not '}required`, async () => {
      class FullDisk extends RecordingAuditLog {
        override async flush() {
          return Result.failure('The audit log cannot be written: ENOSPC.', 'AuditUnavailable');
        }
      }
      const journal = new CallJournal(...partsWith(new FullDisk()));
      const entry = journal.open('read_file', {});
      entry.verdict = granted({ auditRequired });
      const recorded = await journal.judged(entry, undefined);
      expect(recorded.success ? undefined : JSON.stringify(recorded.error)).to.satisfy(
        (text: string | undefined) =>
          expected === undefined ? text === undefined : text?.includes(expected),
      );
    });
});
