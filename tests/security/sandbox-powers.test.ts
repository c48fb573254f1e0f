import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CommandOutcome } from '../../src/application/ports/command/command-sandbox.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

const MIB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

/** Opens, and never writes, every file of /proc that belongs to no process. */
const WALK = `use Fcntl; sub walk { my ($d) = @_; opendir(my $h, $d) or return; for my $n (readdir $h) { next if $n =~ /^\\.\\.?$/; my $p = "$d/$n"; next if -l $p || $p =~ m{^/proc/(\\d+|self|thread-self)$}; if (-d $p) { walk($p); next }
if (sysopen(my $f, $p, O_RDONLY|O_NONBLOCK)) { print "r $p\\n"; close $f } if (sysopen(my $f, $p, O_WRONLY|O_NONBLOCK)) { print "w $p\\n"; close $f } } } walk("/proc");`;

describe('What a command may do', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;

  beforeEach(async () => {
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    await requireSandbox(sandbox);
  });

  afterEach(async () => {
    await sandbox.close();
    ground.remove();
  });

  const sh = (text: string, changes: Parameters<SandboxGround['shell']>[1] = {}): Promise<CommandOutcome> =>
    outcomeOf(sandbox, ground.shell(text, changes));
  const perl = (code: string, ...args: readonly string[]): Promise<CommandOutcome> =>
    outcomeOf(
      sandbox,
      ground.job({
        program: { kind: 'argv', file: '/usr/bin/perl', args: ['-e', code, ...args] },
        limits: { maxOutputBytes: 4 * MIB },
      }),
    );

  describe('with /proc', () => {
    it('opens nothing for writing, and for reading only what an ordinary user can', async () => {
      const opened = (await perl(WALK)).stdout.trim().split('\n');
      expect(opened.length).to.be.greaterThan(20);
      expect(opened.filter((line) => line.startsWith('w '))).to.deep.equal([]);
      const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--bounding-set', '-all'];
      const [file, ...args] = isRoot ? ['/usr/bin/setpriv', ...nobody, '/usr/bin/perl'] : ['/usr/bin/perl'];
      const outside = execFileSync(file, [...args, '-e', WALK], { encoding: 'utf8', maxBuffer: 64 * MIB });
      const ordinary = new Set(outside.split('\n'));
      // Those that count the network or the sessions of a namespace are named by what is there.
      const more = opened.filter((line) => !ordinary.has(line) && !line.startsWith('r /proc/sys/'));
      expect(more).to.deep.equal([]);
    });
  });

  describe('with files', () => {
    const owners = isRoot ? [0, 4321, 65_534, 100_000, 3_000_000_000] : [process.getuid?.() ?? 0];

    for (const owner of owners) {
      it(`acts as user ${owner} in a closed workspace of theirs, without gaining anything`, async () => {
        const tool = join(ground.workspace, 'tool');
        writeFileSync(tool, '#!/bin/sh\necho ran\n', { mode: 0o600 });
        if (isRoot) for (const path of [tool, ground.workspace]) chownSync(path, owner, owner);
        chmodSync(ground.workspace, 0o700);
        const worked = await sh(
          "'/bin/chmod' +x tool && ./tool && '/bin/echo' x > made && '/bin/mkdir' -p a/b && '/bin/rm' made && '/usr/bin/mkfifo' pipe && '/bin/chmod' 1777 a",
        );
        expect(worked.stderr).to.equal('');
        expect(worked.stdout).to.equal('ran\n');
        if (owner !== 0) expect(statSync(join(ground.workspace, 'a')).uid).to.equal(owner);
        const attacks = [
          "'/bin/chmod' u+s tool",
          "'/bin/chmod' g+s a",
          "'/bin/chmod' 6755 tool",
          "'/bin/chown' 1:1 tool",
          "'/bin/chown' 0:0 a",
          "'/bin/mknod' device c 1 3",
          "'/bin/mknod' whiteout c 0 0",
          "'/bin/mknod' block b 8 0",
          `'/usr/bin/perl' -e 'umask 0; use Fcntl; sysopen(F, "born", O_CREAT|O_WRONLY, 06755) or exit 1'`,
        ];
        for (const attack of attacks) {
          // root may give what is root's to root: that is no change.
          if (owner === 0 && attack.includes('chown')) continue;
          expect((await sh(attack)).exitCode, attack).not.to.equal(0);
        }
        expect(lstatSync(tool).mode & 0o6000).to.equal(0);
        expect(lstatSync(tool).uid).to.equal(owner);
      });
    }

    it('never gets the power over modes without the filter that refuses set-id bits', async () => {
      const status = await sh("'/bin/grep' CapEff /proc/self/status", { systemCalls: 'all' });
      expect(BigInt(`0x${status.stdout.split(/\s+/)[1]}`) & (1n << 3n)).to.equal(0n);
    });

    it('cannot open what is hidden: an error, not an empty file', async () => {
      const hide = [join(ground.workspace, '.env'), join(ground.workspace, '.aws')];
      writeFileSync(join(ground.workspace, '.env'), 'SECRET');
      mkdirSync(join(ground.workspace, '.aws'));
      writeFileSync(join(ground.workspace, '.aws/key'), 'SECRET');
      const view = { read: [], write: [ground.workspace], hide, readOnlyInside: [] };
      for (const attempt of [
        "'/bin/cat' .env",
        "'/bin/ls' .aws",
        "'/bin/cp' .env copy",
        "'/bin/cat' .aws/key",
      ]) {
        const outcome = await sh(attempt, { view });
        expect(outcome.exitCode, attempt).not.to.equal(0);
        expect(outcome.stdout, attempt).to.equal('');
        expect(outcome.stderr, attempt).to.match(/Permission denied/);
      }
    });
  });

  describe('with memory', () => {
    const limits = { memoryBytes: 96 * MIB, tmpBytes: 512 * MIB, fileBytes: 1024 * MIB };

    it('holds none in a memfd, and in SysV segments only little', async () => {
      const numbers = process.arch === 'arm64' ? [279, 194] : [319, 29];
      const code = `my ($memfd, $shmget) = map { $_ + 0 } @ARGV; my $name = "x"; print syscall($memfd, $name, 0), ":", $!+0, " "; print syscall($shmget, 0, 104857600, 0600|01000), ":", $!+0, " "; print syscall($shmget, 0, 16385, 0600|01000), ":", $!+0, " "; print syscall($shmget, 0, 16384, 0600|01000) >= 0 ? "small" : "none";`;
      expect((await perl(code, ...numbers.map(String))).stdout).to.equal('-1:38 -1:22 -1:22 small');
    });

    it('counts what lies in /tmp and /dev/shm, neither of which holds more than the limit', async () => {
      const fill = (path: string, count: number): string =>
        `'/bin/dd' if=/dev/zero of=${path} bs=1M count=${count} 2>&1`;
      const job = ground.shell(`${fill('/tmp/a', 60)}; ${fill('/dev/shm/b', 60)}; '/bin/sleep' 10`, {
        limits,
      });
      const result = await sandbox.run(job, new AbortController().signal);
      expect(result.success || result.error.kind).to.equal('limit-exceeded');
      const sizes = await sh("'/bin/df' -B1 --output=size /tmp /dev/shm", { limits });
      for (const size of sizes.stdout.trim().split('\n').slice(1))
        expect(Number(size)).to.be.at.most(96 * MIB);
    });

    it('counts memory that processes share once', async () => {
      const code =
        'my $x = "a" x 6e7; for (1..5) { if (!fork) { sleep 1; exit } } 1 while wait > 0; print "done";';
      const program = { kind: 'argv', file: '/usr/bin/perl', args: ['-e', code] } as const;
      const limits = { memoryBytes: 200 * MIB };
      expect((await outcomeOf(sandbox, ground.job({ program, limits }))).stdout).to.equal('done');
    });
  });

  describe('with sockets', () => {
    it('reaches no socket of the host through a pair, whatever its kind', async () => {
      const path = join(ground.workspace, 'host.sock');
      const code = `import socket,sys,os\ns=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)\ns.bind(sys.argv[1])\nos.chmod(sys.argv[1],0o777)\ns.settimeout(0.2)\nprint('up',flush=True)\nsys.stdin.read()\ntry: print('GOT',s.recv(99))\nexcept OSError: print('nothing')\n`;
      const host = spawn('python3', ['-c', code, path], { stdio: ['pipe', 'pipe', 'inherit'] });
      const said = new Promise<string>((resolve) => {
        let text = '';
        host.stdout.on('data', (chunk: Buffer) => {
          text += chunk;
          if (text.includes('up')) host.emit('up');
        });
        host.stdout.once('end', () => resolve(text));
      });
      await new Promise((resolve) => host.once('up', resolve));
      const attack = `use Socket; my $to = pack_sockaddr_un($ARGV[0]); for my $type (1..6) { if (!socketpair(A, B, AF_UNIX, $type, 0)) { print "$type "; next } send(A, "x", 0, $to); connect(A, $to); send(A, "x", 0); }`;
      const refused = (await perl(attack, path)).stdout.trim().split(' ');
      expect(refused).to.include.members(['2', '3']).and.not.include.members(['1']);
      host.stdin.end();
      expect(await said).to.include('nothing');
    });
  });

  describe('with what lies on PATH', () => {
    it('sees the programs of another project and nothing else of it', async () => {
      const other = join(ground.root, 'other');
      for (const folder of ['bin', 'lib', '.ssh', '.git'])
        mkdirSync(join(other, folder), { recursive: true });
      writeFileSync(join(other, 'bin/tool'), '#!/bin/sh\necho a tool\n', { mode: 0o755 });
      for (const name of ['.env', '.ssh/id_rsa', 'bin/.env', 'lib/secrets.rb', 'notes.txt'])
        writeFileSync(join(other, name), 'OTHER_SECRET');
      const env = { PATH: `/usr/bin:/bin:${other}/bin` };
      const outcome = await sh(
        `tool; '/bin/ls' -A ${other}; '/bin/cat' ${other}/.env ${other}/.ssh/id_rsa ${other}/bin/.env ${other}/lib/* ${other}/notes.txt`,
        { env },
      );
      expect(outcome.stdout).to.equal('a tool\nbin\n');
    });
  });
});
