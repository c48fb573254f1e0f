import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import type { BackgroundProcess } from '../../../../src/application/command/background/background-process.js';
import { BackgroundProcesses } from '../../../../src/application/command/background/background-processes.js';
import { stateOf } from '../../../../src/application/command/background/process-report.js';
import { Result } from '../../../../src/domain/result.js';
import { type Caller, LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { Session } from '../../../../src/domain/session/session.js';
import { callCancelled, executionFailed, toolFailure } from '../../../../src/domain/tool/tool-error.js';
import { SequentialIds } from '../../../../src/testing/testing.js';
import { ManualTime } from '../../../support/manual-time.js';

const RULE = { max: 2, ttlMs: 60_000 };
const OTHER: Caller = { id: 'other', transport: 'http' };
const EXITED = Result.ok({
  exit_code: 3,
  stdout: '',
  stderr: '',
  duration_ms: 1,
  truncated: false,
  sandbox: 'none',
});

describe('BackgroundProcesses', () => {
  let time: ManualTime;
  let processes: BackgroundProcesses;
  const mine = { session: Session.create('mine', LOCAL_STDIO) };
  const alsoMine = { session: Session.create('also mine', LOCAL_STDIO) };
  const others = { session: Session.create('others', OTHER) };

  beforeEach(() => {
    time = new ManualTime();
    processes = new BackgroundProcesses(new SequentialIds('x'), time);
  });

  const keep = (command = 'sleep 1', context = mine): BackgroundProcess => {
    const process = processes.create(command, context);
    processes.keep(process);
    return process;
  };

  it('knows a process only when it is kept, and only for its own session', () => {
    const process = processes.create('sleep 1', mine);
    expect(processes.find(process.facts.id, mine)).to.equal(undefined);
    processes.keep(process);
    expect(processes.find(process.facts.id, mine)).to.equal(process);
    for (const context of [alsoMine, others]) {
      expect(processes.find(process.facts.id, context)).to.equal(undefined);
      expect(processes.list(context)).to.deep.equal([]);
    }
    expect(processes.find('p_unknown', mine)).to.equal(undefined);
  });

  it('lets a caller run as many as the policy says, in all of its sessions, and names what runs', () => {
    const first = keep('npm run dev');
    expect(processes.check(mine, RULE).success).to.equal(true);
    keep('npm run watch', alsoMine);
    const full = processes.check(mine, RULE);
    expect(full.success ? '' : full.error.message).to.match(
      /2 processes .* \(npm run dev\), .* \(npm run watch\)\. End one with stop_process/,
    );
    expect(processes.check(others, RULE).success).to.equal(true);
    first.finish(EXITED);
    expect(processes.check(mine, RULE).success).to.equal(true);
  });

  it('keeps the last sixteen that have ended, and all that run', () => {
    const running = keep();
    const ended = Array.from({ length: 20 }, (_, index) => {
      const process = keep(`echo ${index}`);
      process.finish(EXITED);
      return process;
    });
    const last = keep('the newest');
    const listed = processes.list(mine);
    expect(listed).to.include(running).and.include(last);
    expect(listed).to.deep.equal([running, ...ended.slice(-16), last]);
  });

  it('ends and forgets all of a session that is over, and none of another', () => {
    const [first, second] = [keep(), keep('sleep 2', alsoMine)];
    processes.endSession('mine');
    expect([first.signal.aborted, second.signal.aborted]).to.deep.equal([true, false]);
    expect(processes.list(mine)).to.deep.equal([]);
    expect(processes.list(alsoMine)).to.deep.equal([second]);
  });

  it('tells whether a process exited, was stopped or failed, and how long it ran', () => {
    const [exited, stopped, failed, stoppedTooLate] = [keep(), keep(), keep(), keep()];
    time.advance(250);
    exited.finish(EXITED);
    stopped.stop();
    stopped.finish(toolFailure(callCancelled()));
    failed.finish(toolFailure(executionFailed('too much memory')));
    stoppedTooLate.finish(EXITED);
    stoppedTooLate.stop();
    time.advance(250);
    expect([exited, stopped, failed, stoppedTooLate].map(stateOf)).to.deep.equal([
      'exited',
      'stopped',
      'failed',
      'exited',
    ]);
    expect(exited.runningMs).to.equal(250);
  });

  it('waits for output or the end, for the time given and no longer', async () => {
    const process = keep();
    const waits = { told: false, late: false };
    const never = new AbortController().signal;
    const told = process
      .until(() => process.output.end > 0, 1_000, time, never)
      .then(() => {
        waits.told = true;
      });
    const late = process
      .until(() => process.outcome !== undefined, 1_000, time, never)
      .then(() => {
        waits.late = true;
      });
    process.took(new TextEncoder().encode('hello'));
    await told;
    expect(waits).to.deep.equal({ told: true, late: false });
    time.advance(1_000);
    await late;
    expect(time.waiting).to.equal(0);
  });
});
