import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SandboxJob } from '../../src/application/ports/command/command-sandbox.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually } from '../support/eventually.js';
import { outcomeOf, processesWith, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

type Changes = Parameters<SandboxGround['job']>[0];

/** Answers once with the text of a file of its own /tmp. */
const SERVER = (port: number): string =>
  `cd / && exec python3 -c 'import http.server as h, sys
class A(h.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"from the server")
    def log_message(self, *a): pass
h.HTTPServer(("127.0.0.1", ${port}), A).serve_forever()'`;
const fetch = (port: number): string =>
  `python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:${port}", timeout=5).read().decode())'`;

describe('Commands of one session (bubblewrap)', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let endings: AbortController[];
  let running: Promise<unknown>[];

  beforeEach(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    endings = [];
    running = [];
    await requireSandbox(sandbox);
  });

  afterEach(async () => {
    for (const ending of endings) ending.abort();
    await Promise.all(running);
    await sandbox.close();
    ground.remove();
  });

  const tmpOf = (session: string): string => join(ground.state, 'tmp', session);
  const job = (text: string, session = 'one', changes: Changes = {}): SandboxJob => ({
    ...ground.shell(text, changes),
    session,
    tmp: tmpOf(session),
  });
  const run = (text: string, session = 'one', changes: Changes = {}) =>
    outcomeOf(sandbox, job(text, session, changes));
  /** Runs until the test ends it. */
  const start = (text: string, session = 'one', changes: Changes = {}): AbortController => {
    const ending = new AbortController();
    endings.push(ending);
    running.push(
      sandbox.run(
        job(text, session, { ...changes, limits: { timeoutMs: 60_000, ...changes.limits } }),
        ending.signal,
      ),
    );
    return ending;
  };
  const isIn = (name: string): boolean => existsSync(join(ground.workspace, name));

  it('reach what another one serves, see its processes and end them; other sessions do not', async () => {
    start(`touch ready; ${SERVER(8811)}`);
    await eventually('the server answers', async () => (await run(fetch(8811))).exitCode === 0);
    expect((await run(fetch(8811))).stdout).to.equal('from the server\n');
    expect((await run('cat /proc/[0-9]*/cmdline | tr "\\0" " "')).stdout).to.include('serve_forever');
    const others = await run(`${fetch(8811)}; cat /proc/[0-9]*/cmdline`, 'two');
    expect(others.stdout).not.to.include('serve_forever');
    expect(others.stdout).not.to.include('from the server');
    await run('pkill -f serve_forever || kill $(grep -l serve_forever /proc/[0-9]*/cmdline | cut -d/ -f3)');
    await eventually('the server has ended', async () => (await run(fetch(8811))).exitCode !== 0);
  });

  it('keep /tmp, each session its own, also where the workspace lies in /tmp', async () => {
    await run('echo kept > /tmp/a; mkdir /tmp/d; echo deep > /tmp/d/e');
    expect((await run('cat /tmp/a /tmp/d/e; ls')).stdout).to.equal('kept\ndeep\n');
    expect((await run('cat /tmp/a', 'two')).exitCode).to.equal(1);
    await run('echo here > in-workspace');
    expect(readFileSync(join(ground.workspace, 'in-workspace'), 'utf8')).to.equal('here\n');
  });

  it('end with everything they started, also what has left its parent, and nothing else ends', async () => {
    const marker = `session-left-${process.pid}`;
    start(`exec -a ${marker}-other sleep 50`);
    await eventually('it runs', () => processesWith(`${marker}-other`).length > 0);
    await run(`for i in 1 2 3; do (setsid bash -c 'exec -a ${marker}-left sleep 50' & ) ; done; sleep 0.2`);
    expect(processesWith(`${marker}-left`)).to.deep.equal([]);
    expect(processesWith(`${marker}-other`).length).to.be.greaterThan(0);
    await sandbox.endSession('one');
    await Promise.all(running);
    expect(processesWith(marker)).to.deep.equal([]);
    expect((await run('echo again')).stdout).to.equal('again\n');
  });

  it('are ended when one forks without end, and the session is used again', async () => {
    const marker = `session-fork-${process.pid}`;
    const ending = start(
      `exec -a ${marker} python3 -c 'import os
while True:
    try:
        if os.fork() == 0: os.setsid()
    except OSError: pass'`,
      'one',
      { limits: { processes: 24 } },
    );
    await eventually('it forks', () => processesWith(marker).length > 15);
    const beside = await run('echo beside', 'two');
    expect(beside.stdout).to.equal('beside\n');
    ending.abort();
    await Promise.all(running);
    expect(processesWith(marker)).to.deep.equal([]);
    expect((await run('echo again')).stdout).to.equal('again\n');
  });

  it('cannot look into each other, whatever they try', async () => {
    writeFileSync(join(ground.workspace, 'secret'), 'the secret');
    mkdirSync(join(ground.root, 'extra'));
    writeFileSync(join(ground.root, 'extra', 'hidden'), 'hidden content');
    // The first sees more than the second: a folder, and a file that is hidden from the second.
    start('export TOKEN=in-the-environment; touch ready; exec sleep 50', 'one', {
      view: { read: [join(ground.root, 'extra')], write: [ground.workspace], hide: [], readOnlyInside: [] },
    });
    await eventually('the first runs', () => isIn('ready'));
    const attack = `for p in /proc/[0-9]*; do [ $p = /proc/$$ ] && continue
      for f in environ mem maps auxv stack syscall io; do head -c 1 $p/$f >/dev/null 2>&1 && echo "reads $p/$f $(tr '\\0' ' ' <$p/cmdline)"; done
      for f in root cwd exe fd/0 ns/mnt; do readlink $p/$f >/dev/null 2>&1 && echo "links $p/$f"; ls -L $p/$f/ >/dev/null 2>&1 && echo "enters $p/$f"; done
      cat $p/root${ground.root}/extra/hidden $p/root${ground.workspace}/secret $p/cwd/secret 2>/dev/null
    done; cat /proc/[0-9]*/task/*/environ 2>/dev/null | tr '\\0' '\\n' | grep TOKEN; true`;
    const seen = await run(attack, 'one', {
      view: {
        read: [],
        write: [ground.workspace],
        hide: [join(ground.workspace, 'secret')],
        readOnlyInside: [],
      },
    });
    const own = seen.stdout
      .split('\n')
      .filter((line) => line !== '' && !/ (bash|head|tr|sh|\/bin\/sh|\/bin\/bash) /.test(`${line} `));
    expect(seen.stdout).not.to.match(/hidden content|the secret|in-the-environment/);
    expect(own.filter((line) => /sleep/.test(line))).to.deep.equal([]);
  });

  it('take at most half of the watches and instances that the kernel has for the user', async () => {
    const all = Number(readFileSync('/proc/sys/fs/inotify/max_user_instances', 'utf8'));
    const count = `python3 -c 'import ctypes
c = ctypes.CDLL(None); n = 0
while c.inotify_init() >= 0: n += 1
print(n)'`;
    const taken = Number((await run(count, 'one', { limits: { openFiles: 2 * all } })).stdout);
    expect(taken).to.be.within(1, all / 2);
  });

  it('share one limit on processes, and one on memory', async () => {
    const sleepers = 'for i in $(seq 75); do sleep 50 & done; touch begun; wait';
    start(sleepers, 'one', { limits: { processes: 80 } });
    await eventually('the first has begun', () => isIn('begun'));
    const second = await run(
      `exec python3 -c 'import os, signal
made = []
try:
    while len(made) < 79:
        pid = os.fork()
        if pid == 0: signal.pause()
        made.append(pid)
except OSError: pass
print(len(made))
for pid in made: os.kill(pid, 9)'`,
      'one',
      { limits: { processes: 80 } },
    );
    // Without the common limit it could make all of them; the sandboxes' own shells take some places.
    expect(Number(second.stdout)).to.be.greaterThan(0).and.below(79);
    const hog = (name: string, megabytes: number): string =>
      `python3 -c 'x = bytearray(${megabytes} << 20); open("${name}", "w").close(); import time; time.sleep(40)'`;
    const memoryBytes = 256 * 1024 * 1024;
    start(hog('small', 100), 'three', { limits: { memoryBytes } });
    await eventually('the small one has its memory', () => isIn('small'));
    const large = await sandbox.run(
      job(hog('large', 200), 'three', { limits: { memoryBytes, timeoutMs: 30_000 } }),
      new AbortController().signal,
    );
    expect(large.success ? 'ran' : large.error.kind).to.equal('limit-exceeded');
  });

  it('leave no descriptor and no process of a session that has ended', async () => {
    await run('true', 'warm');
    await sandbox.endSession('warm');
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    for (let round = 0; round < 5; round += 1) {
      await run('sleep 30 & disown; true', `round-${round}`);
      await sandbox.endSession(`round-${round}`);
    }
    await eventually('all descriptors are closed', () => descriptors() <= before);
  });
});
