import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  CommandGroups,
  findDelegated,
} from '../../../../src/infrastructure/command/process/command-groups.js';
import { descendantsOf } from '../../../../src/infrastructure/command/process/memory-watchdog.js';
import type { BubblewrapSandbox } from '../../../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { CommandGroupsCheck } from '../../../../src/infrastructure/doctor/command-groups-check.js';
import { eventually } from '../../../support/eventually.js';
import { FakeGroups } from '../../../support/fake-groups.js';
import { requireSandbox, SandboxGround } from '../../../support/sandbox-jobs.js';

const LIMITS = { memoryBytes: 64 * 1024 * 1024, processes: 20 };
const FIRST = `castellan-${process.pid}-1`;

describe('A cgroup v2 for each command (against a fake tree)', () => {
  let root: string;
  let tree: FakeGroups;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'castellan-groups-'));
    tree = new FakeGroups(root);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const prepared = (): CommandGroups => {
    const groups = CommandGroups.prepare(tree);
    if (groups === undefined) throw new Error('No groups.');
    return groups;
  };

  it('moves the server into a group below before it asks for controllers', () => {
    prepared();
    expect(tree.text('castellan-server/cgroup.procs')).to.equal(`${process.pid}\n`);
    expect(tree.text('cgroup.subtree_control')).to.equal('+memory +pids\n');
  });

  it('finds its place again where the server has been moved already', () => {
    prepared();
    tree.path = '/unit.service/castellan-server';
    tree.set('cgroup.procs', '');
    expect(findDelegated(tree)).to.deep.equal({ folder: tree.folder, own: [] });
    prepared();
    expect(tree.text('castellan-server/cgroup.procs')).to.equal(`${process.pid}\n`);
  });

  it('sets the limits, puts the process in, and removes the group when it has ended', async () => {
    const group = prepared().hold(4711, LIMITS);
    tree.busy = 3;
    await group?.close();
    expect(group?.ranOut).to.equal(false);
    expect(tree.groups()).to.deep.equal(['castellan-server']);
    expect(tree.removed).to.deep.equal([
      {
        name: FIRST,
        files: {
          'cgroup.kill': '1\n',
          'cgroup.procs': '4711\n',
          'memory.events': tree.events,
          'memory.max': '67108864\n',
          'memory.oom.group': '1\n',
          'memory.swap.max': '0\n',
          'pids.max': '20\n',
        },
      },
    ]);
  });

  it('does without what older kernels lack, and not without a limit', async () => {
    const groups = prepared();
    tree.without = ['memory.swap.max', 'cgroup.kill'];
    await groups.hold(4711, LIMITS)?.close();
    expect(tree.removed.map(({ files }) => files['cgroup.procs'])).to.deep.equal(['4711\n']);
    for (const name of ['memory.max', 'memory.oom.group', 'pids.max', 'cgroup.procs']) {
      tree.without = [name];
      expect(groups.hold(4711, LIMITS), name).to.equal(undefined);
    }
    expect(tree.groups()).to.deep.equal(['castellan-server']);
  });

  it('removes later what could not be removed at once', async () => {
    const groups = prepared();
    const group = groups.hold(4711, LIMITS);
    tree.busy = 1_000;
    await group?.close();
    expect(tree.groups()).to.include(FIRST);
    tree.busy = 0;
    groups.hold(4712, LIMITS);
    expect(tree.groups()).not.to.include(FIRST);
  });

  it('tells want of memory in the group from the whole machine', async () => {
    const groups = prepared();
    for (const [events, ranOut] of [
      ['low 0\nmax 7\noom 1\noom_kill 3\noom_group_kill 1\n', true],
      ['low 0\nmax 7\noom 2\noom_kill 0\n', false],
      ['low 0\nmax 0\noom 0\noom_kill 1\n', false],
    ] as const) {
      tree.events = events;
      const group = groups.hold(4711, LIMITS);
      await group?.close();
      expect(group?.ranOut, events).to.equal(ranOut);
    }
  });

  const UNUSABLE: readonly (readonly [string, (tree: FakeGroups) => void])[] = [
    ['no controller memory', (fake) => fake.set('cgroup.controllers', 'hugetlb pids\n')],
    ["others' processes", (fake) => fake.add('cgroup.procs', '1\n')],
    ['holds threads', (fake) => fake.set('cgroup.type', 'threaded\n')],
    ['cgroup.type', (fake) => rmSync(join(fake.folder, 'cgroup.type'))],
    ['in no group', (fake) => (fake.path = '/../above')],
    ['none is at', (fake) => (fake.path = '/gone')],
  ];
  for (const [why, change] of UNUSABLE)
    it(`changes nothing and says why where it cannot: ${why}`, async () => {
      change(tree);
      expect(CommandGroups.prepare(tree)).to.equal(undefined);
      expect(tree.groups()).to.deep.equal([]);
      expect(tree.text('cgroup.subtree_control')).to.equal('');
      expect((await new CommandGroupsCheck(tree).run()).detail).to.contain(why);
    });

  it('moves the server back where the kernel refuses', () => {
    const { make } = tree;
    // Stands for a refusal: the file that is written next is not there.
    const refusing = {
      root: tree.root,
      membership: tree.membership,
      remove: tree.remove,
      make: (folder: string) => {
        make(folder);
        rmSync(join(tree.folder, 'cgroup.subtree_control'));
      },
    };
    expect(CommandGroups.prepare(refusing)).to.equal(undefined);
    expect(tree.text('cgroup.procs')).to.equal(`${process.pid}\n${process.pid}\n`);
    expect(tree.groups()).to.deep.equal([]);
  });

  it('is told by the doctor as unproved', async () => {
    const { status, detail } = await new CommandGroupsCheck(tree).run();
    expect(status).to.equal('ok');
    expect(detail).to.contain('unproved');
    expect(tree.groups()).to.deep.equal([]);
  });

  describe('in the sandbox', () => {
    let ground: SandboxGround;
    let sandbox: BubblewrapSandbox;

    beforeEach(async () => {
      ground = new SandboxGround();
      sandbox = ground.bubblewrap({ groups: tree });
      await requireSandbox(sandbox);
      tree.removed.length = 0;
    });

    afterEach(async () => {
      await sandbox.close();
      ground.remove();
    });

    const run = (text: string, session?: string) =>
      sandbox.run(
        { ...ground.shell(text, { limits: LIMITS }), ...(session !== undefined && { session }) },
        new AbortController().signal,
      );

    for (const session of [undefined, 'one'])
      it(`holds a command before it begins, ${session === undefined ? 'alone' : 'in a session'}`, async () => {
        const [began, go] = ['began', 'go'].map((name) => join(ground.workspace, name));
        const running = run('echo >began; until [ -e go ]; do sleep 0.02; done; echo done', session);
        await eventually('the command begins', () => existsSync(began ?? ''));
        const name = tree.groups().find((group) => group !== 'castellan-server');
        const pid = Number(tree.text(`${name}/cgroup.procs`));
        const held = [pid, ...descendantsOf(pid)].map((each) =>
          readFileSync(`/proc/${each}/cmdline`, 'utf8'),
        );
        writeFileSync(go ?? '', '');
        const outcome = await running;
        expect(held.some((line) => line.includes('echo >began'))).to.equal(true);
        expect(outcome.success && outcome.value.stdout).to.equal('done\n');
        expect(tree.removed.map(({ files }) => [files['memory.max'], files['pids.max']])).to.deep.equal([
          ['67108864\n', '22\n'],
        ]);
        expect(tree.groups()).to.deep.equal(['castellan-server']);
      });

    it('says that the command used too much memory where the kernel ended it for that', async () => {
      tree.events = 'oom 1\noom_kill 2\n';
      const outcome = await run('echo done');
      expect(!outcome.success && outcome.error.message).to.contain('used more than 64 MiB of memory');
    });
  });
});
