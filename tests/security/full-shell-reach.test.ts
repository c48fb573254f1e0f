import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { type HttpCaller, HttpCommandServer } from '../support/http-commands.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';
import { processesWith } from '../support/sandbox-jobs.js';

const KEYS = ['the-key-of-the-first-caller', 'the-key-of-the-second-caller'] as const;
const SECRETS = /in-the-environment|in-the-memory|in-the-narrowed-folder|not-for-commands|of-the-server/;

/** python3 by itself sees less than the texts of a shell do: what it finds of theirs it has reached. */
const POLICY = `
extends: [builtin:workspace]
${HttpCommandServer.principals(KEYS)}
sandboxes:
  narrow: { filesystem: { read: ["."], write: ["."], hide: ["private/**"] } }
tools:
  execute_command:
    allowed_commands: ["*", { command: [python3], sandbox: narrow }]
    background: { max: 8, ttl: 5m }
    limits: { memory: 256MiB, processes: 64, disk: 64MiB, max_output_bytes: 16KiB }
    ${MANY_CALLS}
`;

/** Tries what the kernel offers to look into, change or end every process that it can name. */
const REACH = `
import ctypes, glob, os, signal
libc = ctypes.CDLL(None, use_errno=True)
me = os.getpid()
pids = [int(p) for p in os.listdir('/proc') if p.isdigit() and int(p) != me]
own = {p for p in pids if os.stat(f'/proc/{p}').st_uid == os.getuid()}
def said(p):
    try: return open(f'/proc/{p}/cmdline').read().replace('\\0', ' ')[:60]
    except OSError: return ''
victims = [p for p in sorted(own) if 'VICTIM' in open(f'/proc/{p}/cmdline').read()] if own else []
for p in victims:
    for name in ['environ', 'mem', 'maps', 'smaps', 'auxv', 'syscall', 'stack', 'pagemap', 'clear_refs', 'oom_score_adj', 'coredump_filter', 'attr/current', 'comm', 'io', 'timers', 'personality']:
        for path in [f'/proc/{p}/{name}', f'/proc/{p}/task/{p}/{name}']:
            try:
                data = open(path, 'rb').read(4096)
                # What the kernel shows to everybody is no reach.
                if data and name not in ('oom_score_adj', 'coredump_filter', 'attr/current', 'timers', 'comm'): print('READ', path, data[:200])
            except OSError: pass
            try:
                with open(path, 'r+b', buffering=0) as f: f.write(b'1'); print('WROTE', path)
            except OSError: pass
    for name in ['root', 'cwd', 'exe', 'fd/0', 'fd/9', 'ns/mnt', 'ns/user', 'ns/pid']:
        path = f'/proc/{p}/{name}'
        try: print('LINK', path, os.readlink(path))
        except OSError: pass
        try: print('OPENED', path, os.open(path, os.O_RDONLY))
        except OSError: pass
    for folder in ['map_files', 'root', 'cwd']:
        try: print('LISTED', folder, os.listdir(f'/proc/{p}/{folder}'))
        except OSError: pass
    for path in glob.glob(f'/proc/{p}/root/**') + [f'/proc/{p}/root/WORKSPACE/private/key', f'/proc/{p}/cwd/private/key']:
        try: print('REACHED', open(path).read())
        except OSError: pass
    for request in (16, 0x4206):
        if libc.ptrace(request, p, 0, 0) == 0: print('TRACED', p)
    buffer = ctypes.create_string_buffer(64)
    class Vec(ctypes.Structure): _fields_ = [('base', ctypes.c_void_p), ('len', ctypes.c_size_t)]
    local, remote = Vec(ctypes.addressof(buffer), 64), Vec(0x400000, 64)
    if libc.process_vm_readv(p, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) > 0: print('VM', p)
    fd = libc.syscall(434, p, 0)
    if fd >= 0:
        if libc.syscall(438, fd, 0, 0) >= 0: print('STOLE', p)
        if libc.setns(fd, 0x00020000) == 0: print('ENTERED', p)
print('looked at', len(victims), 'of', len(pids))
`;

/** Each by its own limit; all of them run at once. */
const BOMBS: Readonly<Record<string, string>> = {
  fork: 'b() { b | b & }; b; while :; do sleep 93.5; done',
  memory: 'a=xxxxxxxxxxxxxxxx; while :; do a="$a$a"; done',
  disk: 'i=0; while :; do i=$((i+1)); head -c 4M /dev/zero > /tmp/bomb-$i; head -c 4M /dev/zero > bomb-$i; done',
  output: 'while :; do printf "%s\\n" "$RANDOM$RANDOM$RANDOM$RANDOM$RANDOM$RANDOM$RANDOM"; done',
};

/** Held all the time, and ended by nothing but their time, in seconds. */
const ENDLESS = new Set(['fork', 'output']);
const THEIR_TIME = process.env.CASTELLAN_LONG === '1' ? 5 : 1;

for (const user of [undefined, ORDINARY_USER].slice(0, ORDINARY_USER === undefined ? 1 : 2)) {
  describe(`Under shell: full, of ${user === undefined ? 'whoever runs the tests' : `user ${user}`}`, function () {
    this.timeout(180_000);
    let project: HonestProject;
    let server: HttpCommandServer;
    let [one, two]: HttpCaller[] = [];

    before(async () => {
      project = new HonestProject();
      mkdirSync(join(project.workspace, 'private'));
      writeFileSync(join(project.workspace, 'private/key'), 'in-the-narrowed-folder\n');
      writeFileSync(join(project.workspace, 'reach.py'), REACH.replaceAll('WORKSPACE', project.workspace));
      const policy = project.policy(POLICY);
      if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, project.root]);
      server = await HttpCommandServer.start(project, policy, { SECRET: 'of-the-server' }, user);
      [one, two] = await Promise.all(KEYS.map((key) => server.caller(key)));
    });

    after(async () => {
      await server?.stop();
      project?.remove();
    });

    const callers = (): { one: HttpCaller; two: HttpCaller } => {
      if (one === undefined || two === undefined) throw new Error('nobody has connected');
      return { one, two };
    };
    const textOf = async (reply: Promise<unknown>): Promise<string> => JSON.stringify(await reply);

    it('no call reaches into another, of the same session or of another caller', async () => {
      const { one, two } = callers();
      // Another run of the tests may have a victim of its own.
      const mark = `VICTIM-${process.pid}`;
      const victim =
        'export TOKEN=in-the-environment; exec 9< private/key; x=in-the-memory; touch begun; exec -a VICTIM bash -c "y=$x; touch /tmp/of-the-first; while :; do sleep 0.2; done" VICTIM';
      const started = await textOf(one.run({ command: victim.replaceAll('VICTIM', mark), background: true }));
      expect(started).to.include('process_id');
      await eventually('it runs', () => processesWith(mark).length > 0);
      // The same session sees that it is there, and nothing in it.
      const same = await textOf(one.run({ command: 'python3', args: ['reach.py'] }));
      expect(same)
        .to.match(/looked at [1-9]\d* of/)
        .and.not.match(/READ|WROTE|LINK|OPENED|REACHED|LISTED|TRACED|VM|STOLE|ENTERED/);
      expect(same).not.to.match(SECRETS);

      // Another caller does not even see it, nor anything of its /tmp, nor the id of its process.
      const other = await textOf(two.run({ command: 'python3', args: ['reach.py'] }));
      expect(other).to.include('looked at 0 of');
      const id = /p_[\w-]+/.exec(started)?.[0] ?? '';
      for (const tool of ['process_output', 'process_input', 'stop_process'])
        expect(await textOf(two.call(tool, { process_id: id, text: 'x' })), tool).not.to.match(
          /VICTIM|"state"/,
        );
      expect(await textOf(two.call('list_processes', {}))).not.to.include(id);
      expect(await textOf(two.run('ls -la /tmp; x=$(ps aux); echo "$x"'))).not.to.match(
        /of-the-first|VICTIM/,
      );
      const ends = [
        'kill -9 -1; for p in $(seq 2 400); do [ $p = $$ ] || kill -9 $p; done; true',
        `kill -9 ${server.pid}; pkill -9 -f ${mark}; killall -9 bash; true $X`,
        'python3 - <<EOF\nimport os\nfor p in range(2, 2000):\n  if p != os.getpid() and p != os.getppid():\n    try: os.kill(p, 9)\n    except OSError: pass\nEOF\necho $x',
      ];
      for (const text of ends) await two.run(text);
      expect(processesWith(mark).length).to.be.greaterThan(0);
      expect(await textOf(two.run('echo alive'))).to.include('alive');
      expect(await textOf(one.call('stop_process', { process_id: id }))).to.include('stopped');
      expect(processesWith(mark)).to.deep.equal([]);
    });

    it('secrets stay closed and protected files as they are, whatever a text tries', async () => {
      const { two } = callers();
      const files = ['.git/config', '.env'].map((name) => join(project.workspace, name));
      const pictures = (): readonly string[] =>
        files.map((path) => `${statSync(path).mode} ${readFileSync(path, 'utf8')}`);
      const before = pictures();
      const texts = [
        'for f in $(find / -xdev -name ".env*" 2>/dev/null); do cat "$f"; done',
        'exec 7<.env; cat <&7; dd if=.env; tac .env; while read -r l; do echo "$l"; done < .env; echo $X',
        'mv .env other; cat other; ln .env hard; cat hard; cp -a .env copy; cat copy; rm -f .env; echo $X',
        'chmod 777 .env; chown 1000 .env; umount .env; mount --bind /etc/hostname .env; cat .env; echo $X',
        'bash -c "cat $(printf .e)nv"; eval "cat .e""nv"; sh <<< "cat .env"; env -i /bin/cat .env; echo $X',
        'tar cf /tmp/a.tar . ; tar xOf /tmp/a.tar ./.env; git add -f .env; git show :.env; git stash -u; echo $X',
        'cat /proc/self/root/$PWD/.env /proc/$$/cwd/.env /proc/self/fd/../cwd/.env; cd /proc/self/cwd && cat .env; echo $X',
        'printf "[core]\\nfsmonitor=evil\\n" >> .git/config; cp README.md .git/config; sed -i s/a/b/ .git/config; mv .git g; rm -rf .git/config; echo $X',
        'git config --file .git/config alias.x "!evil"; GIT_CONFIG=.git/config git config alias.y "!evil"; echo $X',
        'perl -e "open F, q(>>), q(.git/config); print F q(evil)"; truncate -s 0 .git/config; tee .git/config </dev/null; install README.md .git/config; echo $X',
        'cat /proc/*/environ | tr "\\0" "\\n"; env; printenv; declare -p; cat /proc/1/environ; echo $X',
      ];
      for (const text of texts) {
        const said = await textOf(two.run({ command: text, timeout: 30 }));
        expect(said, text).not.to.match(/not-for-commands|of-the-server/);
      }
      expect(pictures()).to.deep.equal(before);
    });

    it('bombs are held by their limits while others are served', async () => {
      const { one, two } = callers();
      const ended: string[] = [];
      const bombs = Object.entries(BOMBS).map(async ([name, command]) => {
        const said = await textOf(
          one.run({ command, timeout: ENDLESS.has(name) ? THEIR_TIME : 40, wait: 45 }),
        );
        ended.push(name);
        return [name, said] as const;
      });
      let served = 0;
      while (ended.length < bombs.length) {
        const text = `x=$((${served} + 1)); mkdir -p served; echo $x > served/count; cat served/count`;
        const said = await textOf(two.run({ command: text, timeout: 30 }));
        expect(said).to.include(String(served + 1));
        served += 1;
      }
      const said = Object.fromEntries(await Promise.all(bombs));
      expect(served).to.be.greaterThan(1);
      expect(said.memory, said.memory).to.match(/more than 256 MiB of memory|cannot allocate|xrealloc/);
      expect(said.disk, said.disk).to.match(/more than 64 MiB/);
      expect(said.output).to.include(`timed out after ${THEIR_TIME}s`);
      expect(said.fork, said.fork).to.match(/timed out after \ds|Resource temporarily unavailable/);
      await eventually('nothing of them is left', () => processesWith('93.5').length === 0);
      // The session of the bombs goes on.
      expect(await textOf(one.run('rm -f /tmp/bomb-* bomb-*; x=still; echo $x here'))).to.include(
        'still here',
      );
    });
  });
}
