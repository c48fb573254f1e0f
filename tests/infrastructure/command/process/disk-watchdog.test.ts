import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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

  const run = (text: string, diskBytes: number, session?: string) =>
    sandbox.run(
      {
        ...ground.shell(text, { limits: { diskBytes, fileBytes: 1024 * MIB, timeoutMs: 20_000 } }),
        tmp: `${ground.state}/tmp/${session ?? 'one'}`,
        ...(session !== undefined && { session }),
      },
      new AbortController().signal,
    );
  const saidBy = async (outcome: ReturnType<typeof run>): Promise<string> => {
    const ended = await outcome;
    return ended.success ? ended.value.stdout : ended.error.message;
  };

  /** Slowly, so that a look comes in between. */
  const writing = (file: string): string =>
    `for i in $(seq 40); do head -c 8388608 /dev/zero >> ${file}; sleep 0.1; done; echo all`;

  it('is bounded in /tmp, in the workspace, in its home and in files without a name', async () => {
    const inFile = writing('/proc/self/fd/5').replaceAll('>> /proc/self/fd/5', '>&5');
    const places = [
      writing('/tmp/large'),
      writing('large'),
      writing('$HOME/large'),
      `exec 5>gone; rm gone; ${inFile}`,
    ];
    const ends = await Promise.all(places.map((text) => saidBy(run(text, 64 * MIB))));
    for (const [index, said] of ends.entries())
      expect(said, places[index]).to.match(/wrote more than 64 MiB/);
  });

  /** In a workspace, a home and a /tmp of its own: the folders of one command are not counted for another. */
  const runApart = (name: string, text: string) => {
    const workspace = `${ground.root}/apart-${name}`;
    mkdirSync(workspace);
    const changes = {
      cwd: workspace,
      view: { read: [], write: [workspace], hide: [], readOnlyInside: [] },
      home: `${ground.root}/home-${name}`,
      limits: { diskBytes: 8 * MIB, timeoutMs: 20_000 },
    };
    const job = { ...ground.shell(text, changes), tmp: `${ground.state}/tmp/${name}` };
    return sandbox.run(job, new AbortController().signal);
  };
  /** 12,000 in one folder, whose own blocks stay far below the limit; slowly, so that a look comes in between. */
  const naming = (make: string, folder: string): string =>
    `cd ${folder}; for d in $(seq 12); do ${make.replaceAll('N', '$(seq -f "$d-%g" 1000)')} || exit; sleep 0.1; done; sleep 3; echo all`;
  const EMPTY: Readonly<Record<string, string>> = {
    tmp: naming('touch N', '/tmp'),
    workspace: naming('touch N', '.'),
    home: naming('touch N', '$HOME'),
    folders: naming('mkdir N', '.'),
    links: naming('ln -s -t . $(seq -f "/$d-%g" 1000)', '.'),
    pipes: naming('mkfifo N', '.'),
  };

  it('counts files that have no content: in /tmp, the workspace and the home, folders, links and pipes', async () => {
    const ends = await Promise.all(
      Object.entries(EMPTY).map(async ([name, text]) => [name, await saidBy(runApart(name, text))] as const),
    );
    for (const [name, said] of ends)
      expect(said, name).to.match(/wrote more than 8 MiB.*every file counts at least 4 KiB/);
    expect(await saidBy(runApart('few', 'touch {1..1500}; sleep 0.5; echo all'))).to.equal('all\n');
  });

  it('counts them also while others remove as many', async () => {
    const others = `${ground.root}/others`;
    mkdirSync(others);
    for (let n = 0; n < 13_000; n += 1) writeFileSync(`${others}/${n}`, '');
    const place = `${ground.root}/apart-hidden`;
    const waiting = 'touch ready; until [ -e go ]; do sleep 0.05; done; ';
    const ended = saidBy(runApart('hidden', waiting + naming('mkfifo N', '.')));
    while (!existsSync(`${place}/ready`)) await sleep(20);
    rmSync(others, { recursive: true });
    writeFileSync(`${place}/go`, '');
    expect(await ended).to.match(/wrote more than 8 MiB/);
  });

  it('is not counted where it was removed again, or is less', async () => {
    const text = 'for i in 1 2 3; do head -c 33554432 /dev/zero > a; sleep 0.3; rm a; done; echo all';
    const outcome = await run(text, 64 * MIB);
    expect(outcome.success && outcome.value.stdout).to.equal('all\n');
  });

  it('is the sum of what the commands of a session wrote and left', async () => {
    const more = (file: string): string =>
      `head -c 41943040 /dev/zero > ${file}; sleep 0.5; head -c 1048576 /dev/zero > more; echo all`;
    expect(await saidBy(run(more('/tmp/first'), 64 * MIB, 'sum'))).to.equal('all\n');
    expect(await saidBy(run(more('/tmp/second'), 64 * MIB, 'sum'))).to.match(
      /commands of this session wrote more than 64 MiB/,
    );
    // Another session has its own, and what writes nothing can still tidy up.
    expect(await saidBy(run(more('/tmp/first'), 64 * MIB, 'other'))).to.equal('all\n');
    expect(await saidBy(run('rm /tmp/first; sleep 0.5; echo tidy', 64 * MIB, 'sum'))).to.equal('tidy\n');
    expect(await saidBy(run('rm /tmp/*; sleep 0.5; echo tidy', 64 * MIB, 'sum'))).to.equal('tidy\n');
    expect(await saidBy(run(more('/tmp/third'), 64 * MIB, 'sum'))).to.equal('all\n');
  });

  it('is not what a neighbour wrote to the same folder', async () => {
    const quiet = run('for i in $(seq 30); do echo $i > quiet; sleep 0.1; done; echo all', 64 * MIB, 'quiet');
    expect(await saidBy(run(writing('loud'), 64 * MIB, 'loud'))).to.match(/wrote more than 64 MiB/);
    expect(await saidBy(quiet)).to.equal('all\n');
  });
});
