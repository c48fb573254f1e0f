import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import {
  namespaceOf,
  SessionProcesses,
} from '../../../../src/infrastructure/command/session/session-processes.js';
import { eventually } from '../../../support/eventually.js';

const OTHERS = 20;
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

describe('SessionProcesses', () => {
  const started: ChildProcess[] = [];

  /** A process with a view of the files of its own, child of this one. */
  const inNamespace = async (script: string): Promise<number> => {
    const child = spawn('unshare', [...AS_ROOT, '--mount', '/bin/sh', '-c', script]);
    started.push(child);
    await once(child.stdout, 'data');
    if (child.pid === undefined) throw new Error('unshare did not start');
    return child.pid;
  };

  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  });

  const membersOf = (root: number): SessionProcesses =>
    new SessionProcesses(root, () => process.pid, namespaceOf('self', 'pid') ?? '');

  it('ends what outlived its first process, by its view of the files', async () => {
    const first = await inNamespace('(trap "" TERM; sleep 81.5) & echo; exec sleep 81.5');
    const processes = membersOf(first);
    processes.remember(first);
    expect(processes.list().length).to.be.greaterThan(0);
    expect(await processes.end()).to.equal(true);
    expect(processes.list().filter((pid) => namespaceOf(pid, 'mnt') !== undefined)).to.deep.equal([]);
    processes.forget();
  });

  it('never takes the processes of another command for its own, although the kernel uses numbers again', async () => {
    const first = await inNamespace('echo; exec sleep 82.5');
    const processes = membersOf(first);
    processes.remember(first);
    const number = namespaceOf(first, 'mnt');
    expect(await processes.end()).to.equal(true);
    await eventually('it is gone', () => namespaceOf(first, 'mnt') === undefined);
    for (let other = 0; other < OTHERS; other += 1) {
      const pid = await inNamespace('echo; exec sleep 82.5');
      expect(namespaceOf(pid, 'mnt')).not.to.equal(number);
      expect(processes.list()).not.to.include(pid);
    }
    processes.forget();
  });

  it('has no processes when it was left, whoever still asks', async () => {
    const first = await inNamespace('echo; exec sleep 83.5');
    const processes = membersOf(first);
    processes.remember(first);
    processes.forget();
    expect(processes.list()).to.deep.equal([]);
    expect(await processes.end()).to.equal(true);
    expect(namespaceOf(first, 'mnt')).not.to.equal(undefined);
  });
});
