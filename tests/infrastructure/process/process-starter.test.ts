import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  processStarter,
  runProgram,
  startProcess,
} from '../../../src/infrastructure/process/process-starter.js';

const SHELL = '/bin/sh';

describe('starting processes', () => {
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

  it('answers with what a program said and how it ended, also where it failed', async () => {
    const run = await runProgram(SHELL, ['-c', 'cat; echo no >&2; exit 3'], { input: 'héllo\n' });
    expect(textOf(run.stdout)).to.equal('héllo\n');
    expect(textOf(run.stderr)).to.equal('no\n');
    expect(run.exitCode).to.equal(3);
    expect(run.problem).to.include('exit code 3');
  });

  it('gives a program the environment it is told and nothing of its own', async () => {
    process.env.CASTELLAN_STARTER_TEST = 'secret';
    try {
      const run = await runProgram('/usr/bin/env', [], { env: { ONLY: 'this' } });
      expect(textOf(run.stdout)).to.equal('ONLY=this\n');
    } finally {
      delete process.env.CASTELLAN_STARTER_TEST;
    }
  });

  it('says that a program is missing', async () => {
    const run = await runProgram('/nowhere/program', [], {});
    expect(run.isMissing).to.equal(true);
    expect(run.exitCode).to.equal(undefined);
  });

  it('ends a program that says too much, takes too long or is cancelled', async () => {
    const endless = ['-c', 'trap "" TERM; while :; do echo more; done'];
    const loud = await runProgram(SHELL, endless, { maxBytes: 1000 });
    expect([loud.isTooLong, loud.exitCode]).to.deep.equal([true, undefined]);
    const quiet = ['-c', 'trap "" TERM; while :; do :; done'];
    const slow = await runProgram(SHELL, quiet, { timeoutMs: 50 });
    expect([slow.isTooLong, slow.exitCode]).to.deep.equal([false, undefined]);
    const caller = new AbortController();
    const cancelled = runProgram(SHELL, quiet, { signal: caller.signal });
    caller.abort();
    expect((await cancelled).exitCode).to.equal(undefined);
  });

  it('tells of a start that Node throws, not emits, as of any other', async () => {
    const start = await processStarter();
    const child = start('/bin/true', ['x'.repeat(1024 * 1024)], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect(child.pid).to.equal(undefined);
    const [error] = await once(child, 'error').catch((reason: unknown) => [reason]);
    expect(error).to.have.property('code', 'E2BIG');
  });

  it('hands on the descriptors that are named, from 3 on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-starter-'));
    writeFileSync(join(folder, 'text'), 'by descriptor');
    const descriptor = openSync(join(folder, 'text'), 'r');
    try {
      const run = await runProgram(SHELL, ['-c', 'cat <&4'], { descriptors: ['ignore', descriptor] });
      expect(textOf(run.stdout)).to.equal('by descriptor');
    } finally {
      closeSync(descriptor);
      rmSync(folder, { recursive: true });
    }
  });

  it('answers with the process at once, not at its end', async () => {
    const child = await startProcess(SHELL, ['-c', 'read -r line; echo "$line"'], {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expect(child.exitCode).to.equal(null);
    child.stdin?.end('go on\n');
    expect(child.stdout && (await text(child.stdout))).to.equal('go on\n');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).to.equal(0);
  });

  it('rejects where nothing can be started', async () => {
    const start = startProcess('/nowhere/program', [], { stdio: ['ignore', 'ignore', 'ignore'] });
    const error = await start.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Error).with.property('code', 'ENOENT');
  });
});
