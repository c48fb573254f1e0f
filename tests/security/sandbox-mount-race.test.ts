import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { SandboxView } from '../../src/application/ports/command/command-sandbox.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually } from '../support/eventually.js';
import { requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

const long = process.env.CASTELLAN_LONG === '1';
/** Long: ten minutes at least, and as many commands as this; otherwise as many commands alone. */
const LEAST_MS = long ? 600_000 : 0;
const BEGUN = long ? 1_000 : 10;
const TRIES_AT_ONCE = 4;
const MOST_TRIES = long ? 1_000_000 : 2_000;
const SECRET = 'the-secret-outside';

/** renameat2 with RENAME_EXCHANGE, without a moment at which a name is missing. */
const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;
const SWAP = `my ($one, $other, $pause, $sign) = @ARGV; open(my $f, '>', $sign); for (my $i = 0; ; $i++) { syscall(${RENAMEAT2}, -100, $one, -100, $other, 2); select(undef, undef, undef, rand($i % 2 ? $pause : 0.004)); }`;

/** Two names in the workspace, and how many seconds at most they stand for what they should. */
const SWAPPERS = [
  ['sub', 'evil', '0.02'],
  ['deep/a', 'deep/link', '0.05'],
  ['file', 'file-link', '0.03'],
  ['deep/b', 'deep/decoy', '0.04'],
] as const;

describe('A race with the mounts of a sandbox', function () {
  this.timeout(long ? 1_800_000 : 120_000);
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let outside: string;
  const ending = new AbortController();
  const swappers: Promise<unknown>[] = [];

  before(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    await requireSandbox(sandbox);
    outside = join(ground.root, 'outside');
    for (const folder of ['sub', 'deep/a/inner', 'deep/b', 'deep/decoy'])
      mkdirSync(join(ground.workspace, folder), { recursive: true });
    mkdirSync(join(outside, 'inner'), { recursive: true });
    for (const place of [join(ground.workspace, 'sub'), join(ground.workspace, 'deep/b'), outside])
      writeFileSync(join(place, '.bashrc'), 'kept');
    for (const place of [outside, join(outside, 'inner')]) writeFileSync(join(place, 'secret'), SECRET);
    writeFileSync(join(ground.workspace, 'file'), 'inside');
    symlinkSync(outside, join(ground.workspace, 'evil'));
    symlinkSync('../../outside', join(ground.workspace, 'deep/link'));
    symlinkSync(join(outside, 'secret'), join(ground.workspace, 'file-link'));
  });

  after(async () => {
    ending.abort();
    await Promise.all(swappers);
    await sandbox.close();
    ground.remove();
  });

  const at = (name: string): string => join(ground.workspace, name);

  async function startSwappers(): Promise<void> {
    const used = long ? SWAPPERS : SWAPPERS.slice(0, 1);
    for (const [one, other, pause] of used) {
      const words = [one, other, long ? pause : '0.1', `swapping-${one.replace('/', '-')}`];
      const program = { kind: 'argv', file: '/usr/bin/perl', args: ['-e', SWAP, ...words] } as const;
      const limits = { timeoutMs: 3_600_000, cpuSeconds: 3_600 };
      swappers.push(sandbox.run(ground.job({ program, limits }), ending.signal));
    }
    await eventually('the swappers swap', () => {
      return (
        readdirSync(ground.workspace).filter((name) => name.startsWith('swapping')).length === used.length
      );
    });
  }

  it('never shows or writes anything outside', async () => {
    await startSwappers();
    // Each makes the folder around it a mount of its own, writable.
    const readOnlyInside = ['sub/.bashrc', 'deep/a/inner', 'file', 'deep/b/.bashrc'].map(at);
    const view: SandboxView = { read: [], write: [ground.workspace], hide: [], readOnlyInside };
    const reads =
      "'/bin/cat' sub/secret evil/secret deep/a/secret deep/a/inner/secret deep/link/secret file file-link";
    const writes = ['sub', 'evil', 'deep/a', 'deep/link', 'deep/b', 'deep/decoy']
      .map((folder) => `'/bin/echo' ESCAPED >> ${folder}/written`)
      .join('; ');
    let begun = 0;
    const one = async (): Promise<void> => {
      const job = ground.shell(`${reads} 2>/dev/null; ${writes}; '/bin/echo' BEGUN`, { view });
      const result = await sandbox.run(job, new AbortController().signal);
      if (!result.success) {
        expect(result.error.message).to.match(/set up/);
        return;
      }
      begun += 1;
      expect(result.value.stdout).to.include('BEGUN').and.not.to.include(SECRET);
    };
    const started = performance.now();
    const isEnough = (): boolean => begun >= BEGUN && performance.now() - started >= LEAST_MS;
    for (let tries = 0; !isEnough() && tries < MOST_TRIES; tries += TRIES_AT_ONCE)
      await Promise.all(Array.from({ length: TRIES_AT_ONCE }, one));
    expect(begun, 'commands begun').to.be.at.least(BEGUN);
    expect(readdirSync(outside).sort()).to.deep.equal(['.bashrc', 'inner', 'secret']);
    expect(readdirSync(join(outside, 'inner'))).to.deep.equal(['secret']);
    expect(readFileSync(join(outside, '.bashrc'), 'utf8')).to.equal('kept');
    if (long) console.log(`      ${begun} commands begun`);
  });
});
