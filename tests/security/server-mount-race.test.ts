import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CommandClient } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';

const IS_LONG = process.env.CASTELLAN_LONG === '1';
/** Long: minutes at least, and commands at least; otherwise a few commands. */
const LEAST_MS = IS_LONG ? Number(process.env.CASTELLAN_RACE_MINUTES ?? 10) * 60_000 : 0;
const LEAST_BEGUN = IS_LONG ? 1_000 : 5;
const MOST_TRIES = IS_LONG ? 1_000_000 : 400;
const AT_ONCE = 2;
const PAUSE_S = 0.002;
const SECRET = 'the-secret-outside';

const POLICY = `extends: [builtin:workspace]
tools:
  execute_command:
    rate: { limit: 1000000/min, burst: 1000000 }
    circuit_breaker: { failures: 1000000, open_for: 1s }
    timeout: 3600
    limits: { concurrency: 16 }
`;

/** renameat2 with RENAME_EXCHANGE, without a moment at which a name is missing. */
const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;
const SWAP = `my ($one, $other, $pause, $sign) = @ARGV; open(my $f, '>', $sign); for (;;) { syscall(${RENAMEAT2}, -100, $one, -100, $other, 2); select(undef, undef, undef, $pause); }`;

/** Pairs of names in the workspace. The first of each holds or is something protected, the second leads out of it. */
const PAIRS = [
  ['sub', 'evil'],
  ['deep/a', 'deep/link'],
  ['CLAUDE.md', 'file-link'],
  ['deep/b', 'deep/decoy'],
] as const;

describe('A race with the mounts of commands, over the whole server', function () {
  this.timeout(IS_LONG ? LEAST_MS + 1_800_000 : 180_000);
  let root: string;
  let client: CommandClient;

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-race-')));
    for (const folder of [
      'ws/sub',
      'ws/deep/a/.vscode',
      'ws/deep/b',
      'ws/deep/decoy',
      'outside/.vscode',
      'state',
    ])
      mkdirSync(join(root, folder), { recursive: true });
    for (const name of ['ws/sub/.bashrc', 'ws/deep/b/.bashrc', 'ws/CLAUDE.md', 'outside/.bashrc'])
      writeFileSync(join(root, name), 'kept');
    for (const name of ['secret', '.vscode/secret']) writeFileSync(join(root, 'outside', name), SECRET);
    symlinkSync(join(root, 'outside'), join(root, 'ws/evil'));
    symlinkSync('../../outside', join(root, 'ws/deep/link'));
    symlinkSync(join(root, 'outside/secret'), join(root, 'ws/file-link'));
    writeFileSync(join(root, 'policy.yaml'), POLICY);
    const place = { workspace: join(root, 'ws'), state: join(root, 'state') };
    client = await CommandClient.start(place, join(root, 'policy.yaml'));
  });

  afterEach(async () => {
    await client.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** Commands themselves, as in an attack; each leaves a sign that it has begun. */
  async function startSwappers(): Promise<void> {
    for (const [index, [one, other]] of PAIRS.entries()) {
      const args = ['-e', SWAP, one, other, String(PAUSE_S), `swapping-${index}`];
      // Ended with the server.
      void client.run({ command: '/usr/bin/perl', args }).catch(() => undefined);
    }
    const signs = (): number =>
      readdirSync(join(root, 'ws')).filter((name) => name.startsWith('swapping')).length;
    await eventually('the swappers swap', () => signs() === PAIRS.length, 60_000);
  }

  it('nothing outside is read or written, whatever four programs exchange every two milliseconds', async () => {
    expect((await client.run('true')).success).to.equal(true);
    await startSwappers();
    const folders = PAIRS.flat().filter((name) => !/CLAUDE|file/.test(name));
    const reads = [
      ...folders.flatMap((name) => [`${name}/secret`, `${name}/.vscode/secret`]),
      'CLAUDE.md',
      'file-link',
    ];
    const script = [
      `cat ${reads.join(' ')} 2>/dev/null`,
      ...folders.map((name) => `echo ESCAPED 2>/dev/null >> ${name}/written`),
      ...['CLAUDE.md', 'file-link'].map((name) => `echo ESCAPED 2>/dev/null >> ${name}`),
      'echo BEGUN',
    ].join('\n');
    let begun = 0;
    let tries = 0;
    const one = async (): Promise<void> => {
      const reply = await client.run({ command: 'bash', stdin: script });
      tries += 1;
      const text = JSON.stringify(reply);
      expect(text).not.to.include(SECRET);
      if (reply.value?.stdout.includes('BEGUN')) begun += 1;
      else expect(text).to.match(/set up|moved around|was not run|ended/);
    };
    const started = performance.now();
    const isEnough = (): boolean => begun >= LEAST_BEGUN && performance.now() - started >= LEAST_MS;
    while (!isEnough() && tries < MOST_TRIES) await Promise.all(Array.from({ length: AT_ONCE }, one));
    if (IS_LONG) {
      const seconds = Math.round((performance.now() - started) / 1_000);
      console.log(`      ${begun} commands begun of ${tries} in ${seconds} s`);
    }
    expect(readdirSync(join(root, 'outside')).sort()).to.deep.equal(['.bashrc', '.vscode', 'secret']);
    expect(readdirSync(join(root, 'outside/.vscode'))).to.deep.equal(['secret']);
    expect(readFileSync(join(root, 'outside/.bashrc'), 'utf8')).to.equal('kept');
    expect(readFileSync(join(root, 'outside/secret'), 'utf8')).to.equal(SECRET);
    expect(begun, `commands begun of ${tries}`).to.be.at.least(LEAST_BEGUN);
  });
});
