import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { BubblewrapSandbox } from '../../../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { requireSandbox, SandboxGround } from '../../../support/sandbox-jobs.js';

const MIB = 1024 * 1024;

describe('What a command may write (limits.disk)', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;

  before(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    await requireSandbox(sandbox);
  });

  after(async () => {
    await sandbox.close();
    ground.remove();
  });

  const run = (text: string, diskBytes: number) =>
    sandbox.run(
      {
        ...ground.shell(text, { limits: { diskBytes, fileBytes: 1024 * MIB, timeoutMs: 20_000 } }),
        tmp: `${ground.state}/tmp/one`,
      },
      new AbortController().signal,
    );

  /** Slowly, so that a look comes in between. */
  const writing = (file: string): string =>
    `for i in $(seq 40); do head -c 8388608 /dev/zero >> ${file}; sleep 0.1; done; echo all`;

  for (const [where, text] of [
    ['in /tmp', writing('/tmp/large')],
    ['in the workspace', writing('large')],
    ['in its home', writing('$HOME/large')],
    [
      'in a file without a name',
      `exec 5>gone; rm gone; ${writing('/proc/self/fd/5').replaceAll('>> /proc/self/fd/5', '>&5')}`,
    ],
  ] as const)
    it(`is bounded ${where}`, async () => {
      const outcome = await run(text, 64 * MIB);
      expect(outcome.success ? outcome.value : outcome.error.message).to.match(/wrote more than 64 MiB/);
    });

  it('is not counted where it was removed again, or is less', async () => {
    const text = 'for i in 1 2 3 4; do head -c 33554432 /dev/zero > a; sleep 0.3; rm a; done; echo all';
    const outcome = await run(text, 64 * MIB);
    expect(outcome.success && outcome.value.stdout).to.equal('all\n');
  });
});
