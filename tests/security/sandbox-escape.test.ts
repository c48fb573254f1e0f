import { spawn } from 'node:child_process';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { CommandOutcome } from '../../src/application/ports/command/command-sandbox.js';
import { syscallTableFor } from '../../src/infrastructure/command/launch/seccomp-syscalls.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

const SECRET = 'the-secret-of-the-server';
const MIB = 1024 * 1024;

describe('Escaping from the bubblewrap sandbox', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let outside: string;
  let accepted = 0;
  let received = 0;
  const servers: Server[] = [];
  let udp: UdpSocket;

  before(async () => {
    process.env.CASTELLAN_SANDBOX_SECRET = SECRET;
    ground = new SandboxGround();
    sandbox = ground.bubblewrap();
    await requireSandbox(sandbox);
    outside = join(ground.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), SECRET);
    symlinkSync(outside, join(ground.workspace, 'link'));
    udp = createSocket('udp4').on('message', () => {
      received += 1;
    });
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
  });

  after(async () => {
    delete process.env.CASTELLAN_SANDBOX_SECRET;
    udp.close();
    for (const server of servers) server.close();
    await sandbox.close();
    ground.remove();
  });

  const sh = (text: string, changes: Parameters<SandboxGround['shell']>[1] = {}): Promise<CommandOutcome> =>
    outcomeOf(sandbox, ground.shell(text, changes));

  const perl = (code: string, ...args: readonly string[]): Promise<CommandOutcome> =>
    outcomeOf(
      sandbox,
      ground.job({ program: { kind: 'argv', file: '/usr/bin/perl', args: ['-e', code, ...args] } }),
    );

  async function listen(where: { host?: string; port?: number; path?: string }): Promise<Server> {
    const server = createServer((socket) => {
      accepted += 1;
      socket.on('error', () => undefined).end(SECRET);
    });
    servers.push(server);
    server.listen(where);
    await once(server, 'listening');
    return server;
  }

  it('cannot read what is outside, by name, by link or by /proc', async () => {
    const paths = [
      join(outside, 'file'),
      'link/file',
      `/proc/1/root${outside}/file`,
      `/proc/self/root${outside}/file`,
      `/proc/${process.pid}/root${outside}/file`,
      `/proc/1/cwd${outside}/file`,
      `../outside/file`,
      '/etc/shadow',
      '/etc/ssl/private',
      '/proc/kcore',
      '/dev/mem',
      '/sys/kernel',
      '/var/log',
      join(ground.state),
    ];
    for (const path of paths) {
      const outcome = await sh(`'/bin/cat' '${path}' || '/bin/ls' '${path}'`);
      expect(outcome.exitCode, path).not.to.equal(0);
      expect(outcome.stdout, path).to.equal('');
    }
  });

  it('cannot write what is outside', async () => {
    const paths = [
      '/usr/x',
      '/usr/bin/ls',
      '/etc/passwd',
      '/etc/ld.so.preload',
      '/x',
      '/dev/x',
      '/root/x',
      '/home',
    ];
    const tricky = [
      join(outside, 'new'),
      'link/new',
      'link/file',
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
      '/proc/sysrq-trigger',
      '/proc/1/root/usr/x',
      `/proc/self/root${outside}/new`,
    ];
    for (const path of [...paths, ...tricky]) {
      const outcome = await sh(`'/bin/echo' x >> '${path}'`);
      expect(outcome.exitCode, path).not.to.equal(0);
    }
    expect(readdirSync(outside)).to.deep.equal(['file']);
    expect(readFileSync(join(outside, 'file'), 'utf8')).to.equal(SECRET);
  });

  it('cannot make the system writable again', async () => {
    for (const path of ['/', '/usr', '/etc', '/dev'])
      expect((await sh(`'/bin/mount' -o remount,rw '${path}'`)).exitCode, path).not.to.equal(0);
    expect((await sh("'/bin/mkdir' /usr/castellan-test")).exitCode).not.to.equal(0);
    expect(existsSync('/usr/castellan-test')).to.equal(false);
  });

  it("cannot read the server's environment, arguments or memory", async () => {
    const outcome = await sh(
      `'/bin/cat' /proc/*/environ /proc/${process.pid}/environ /proc/${process.ppid}/cmdline /proc/${process.pid}/maps; '/usr/bin/env'`,
    );
    expect(outcome.stdout).not.to.include(SECRET).and.not.to.include('mocha');
  });

  it('cannot connect over TCP or send over UDP', async () => {
    const server = await listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.address() as AddressInfo;
    const outcome = await sh(`exec 5<>/dev/tcp/127.0.0.1/${port} && '/bin/cat' <&5`);
    expect(outcome.exitCode).not.to.equal(0);
    expect(outcome.stdout).to.equal('');
    await sh(`'/bin/echo' x >/dev/udp/127.0.0.1/${udp.address().port}`);
    const perlUdp = `use Socket; socket(S,PF_INET,SOCK_DGRAM,17); send(S,"x",0,sockaddr_in($ARGV[0],inet_aton("127.0.0.1")));`;
    await perl(perlUdp, String(udp.address().port));
    const route = await perl(
      'use Socket; socket(S,PF_INET,SOCK_STREAM,6); connect(S,sockaddr_in(80,inet_aton("1.1.1.1"))) or print "$!";',
    );
    expect(route.stdout).to.match(/unreachable/i);
    expect({ accepted, received }).to.deep.equal({ accepted: 0, received: 0 });
  });

  it('cannot connect to a unix socket outside, although it lies in a bind, nor to an abstract one', async () => {
    const path = join(ground.workspace, 'server.sock');
    await listen({ path });
    await listen({ path: '\0castellan-sandbox-test' });
    const code = `use Socket; socket(S,AF_UNIX,SOCK_STREAM,0) or die "socket: $!"; connect(S,pack_sockaddr_un($ARGV[0])) or die "connect: $!"; print <S>;`;
    for (const address of [path, '\\0castellan-sandbox-test']) {
      const outcome = await perl(code.replace('$ARGV[0]', `"${address}"`));
      expect(outcome.stderr).to.match(/socket: Operation not permitted/);
      expect(outcome.stdout).to.equal('');
    }
    expect(accepted).to.equal(0);
  });

  it('may use socketpair and its own loopback, and no socket family without a namespace', async () => {
    const pair = await perl('use Socket; print socketpair(A,B,AF_UNIX,SOCK_STREAM,0) ? "ok" : "$!";');
    expect(pair.stdout).to.equal('ok');
    const loopback =
      'use Socket; socket(S,PF_INET,SOCK_STREAM,6); bind(S,sockaddr_in(0,INADDR_LOOPBACK)); listen(S,1); socket(C,PF_INET,SOCK_STREAM,6); print connect(C,getsockname(S)) ? "ok" : "$!";';
    expect((await perl(loopback)).stdout).to.equal('ok');
    const families = await perl(
      'for (0..45) { print "$_ " if socket(S,$_,1,0) || socket(S,$_,2,0) || socket(S,$_,3,0); }',
    );
    const opened = families.stdout.trim().split(' ').map(Number);
    expect([2, 10, 16]).to.include.members(opened);
  });

  it('cannot use a dangerous system call', async () => {
    const table = syscallTableFor(process.arch);
    if (table === undefined) throw new Error(`no table for ${process.arch}`);
    const code =
      'for my $n (@ARGV) { $! = 0; my $r = syscall($n, 0, 0, 0, 0, 0); print "$n:", $r, ":", $!+0, " "; }';
    const denied = (await perl(code, ...table.denied.map(String))).stdout.trim().split(' ');
    expect(denied).to.deep.equal(table.denied.map((number) => `${number}:-1:1`));
    const absent = (await perl(code, ...table.absent.map(String))).stdout.trim().split(' ');
    expect(absent).to.deep.equal(table.absent.map((number) => `${number}:-1:38`));
  });

  it('has an init process under the same filter, which a blind write does not reach', async () => {
    const outcome = await sh("'/bin/echo' x > /proc/1/mem");
    expect(outcome.exitCode).not.to.equal(0);
    expect((await sh("'/bin/grep' '^Seccomp:' /proc/1/status")).stdout).to.equal('Seccomp:\t2\n');
  });

  it('cannot take back that it dies with the server', async () => {
    const prctl = syscallTableFor(process.arch)?.prctl;
    const code = `sub now { my $b = "\\0" x 8; syscall(${prctl}, 2, $b); unpack("i", $b) } print join " ", syscall(${prctl}, 1, 9), now(), syscall(${prctl}, 1, 0), now(), syscall(${prctl}, 1, 15), now();`;
    expect((await perl(code)).stdout).to.equal('0 9 0 9 0 9');
  });

  it('is filtered unless the policy takes the filter away, and then says so', async () => {
    const text = "'/bin/grep' '^Seccomp:' /proc/self/status";
    expect((await sh(text)).stdout).to.equal('Seccomp:\t2\n');
    const open = await sh(text, { systemCalls: 'all' });
    expect(open.stdout).to.equal('Seccomp:\t0\n');
    expect(open.sandbox).to.include('system calls not filtered');
  });

  it('cannot mount, change its root or make a namespace', async () => {
    const attempts = [
      "'/bin/mount' -t tmpfs none /tmp",
      "'/bin/mount' --bind /usr /tmp",
      "'/bin/umount' -l /usr",
      "'/usr/sbin/chroot' / /bin/true",
      "'/usr/bin/unshare' --user /bin/true",
      "'/usr/bin/unshare' --user --map-root-user --mount /bin/true",
      "'/usr/bin/unshare' --net /bin/true",
      "'/usr/bin/unshare' --pid --fork /bin/true",
      "'/usr/bin/nsenter' --target 1 --user /bin/true",
    ];
    for (const attempt of attempts) expect((await sh(attempt)).exitCode, attempt).not.to.equal(0);
    const table = syscallTableFor(process.arch);
    const clone = await perl(
      'for my $flag (0x10000000,0x20000000,0x40000000,0x08000000,0x04000000,0x02000000,0x20000) { my $r = syscall($ARGV[0], $flag | 17, 0, 0, 0, 0); exit 0 if $r == 0; print "$r:", $!+0, " "; }',
      String(table?.clone),
    );
    expect(clone.stdout.trim().split(' ')).to.deep.equal(Array(7).fill('-1:1'));
  });

  it('is killed when it speaks a foreign calling convention', async () => {
    if (process.arch !== 'x64') return;
    const outcome = await perl('syscall(0x40000000 | 39); print "alive";');
    expect(outcome.stdout).to.equal('');
    expect(outcome.exitCode).to.equal(159);
  });

  it('holds no capability but those of a file owner, and cannot gain any', async () => {
    const isRoot = process.getuid?.() === 0;
    // Entering the second namespace fills the bounding set again, which no_new_privs makes harmless.
    const sets = isRoot ? 'CapInh|CapPrm|CapEff|CapAmb|CapBnd' : 'CapInh|CapPrm|CapEff|CapAmb';
    const status = (await sh(`'/bin/grep' -E '^(${sets}|NoNewPrivs)' /proc/self/status`)).stdout;
    const [overrideAccess, actAsOwner] = [1n << 1n, 1n << 3n];
    const allowed = isRoot ? overrideAccess | actAsOwner : 0n;
    for (const [, value] of status.matchAll(/^Cap\w+:\s+([0-9a-f]+)$/gm))
      expect(BigInt(`0x${value}`) & ~allowed).to.equal(0n);
    expect(status).to.include('NoNewPrivs:\t1');
    expect((await sh("'/usr/bin/id' -u")).stdout).not.to.equal('0\n');
  });

  it('can neither see nor signal processes of the host', async () => {
    const seen = (await sh("'/bin/ls' /proc")).stdout.split('\n').filter((name) => /^\d+$/.test(name));
    expect(seen.length).to.be.lessThan(6);
    const victim = spawn('/bin/sleep', ['1000']);
    const ended = once(victim, 'close');
    await perl('kill 9, 2..400000 if $$ > 2; kill 9, -1;');
    victim.kill('SIGUSR1');
    expect(await ended).to.deep.equal([null, 'SIGUSR1']);
    expect((await sh(`kill -0 ${process.pid}`)).exitCode).not.to.equal(0);
  });

  it('inherits no descriptor beyond the three', async () => {
    const open = await sh('for f in /proc/self/fd/*; do \'/usr/bin/readlink\' "$f"; done');
    const others = open.stdout
      .split('\n')
      .filter((target) => target !== '' && !/^(\/dev\/null|(socket|pipe):)/.test(target));
    expect(others).to.deep.equal([]);
    const sockets = open.stdout.split('\n').filter((target) => /^(socket|pipe):/.test(target));
    expect(sockets.length).to.be.lessThan(4);
  });

  it('cannot fill the disk through /tmp, /dev/shm or one file', async () => {
    const limits = { tmpBytes: 2 * MIB, fileBytes: 4 * MIB };
    for (const path of ['/tmp/big', '/dev/shm/big']) {
      const outcome = await sh(
        `'/bin/dd' if=/dev/zero of=${path} bs=1M count=3; '/usr/bin/stat' -c %s ${path}`,
        { limits },
      );
      expect(outcome.stderr, path).to.include('No space left on device');
      expect(Number(outcome.stdout), path).to.be.at.most(2 * MIB);
    }
    const file = await sh("'/bin/dd' if=/dev/zero of=big bs=1M count=20", { limits });
    expect(file.exitCode).not.to.equal(0);
    expect(readFileSync(join(ground.workspace, 'big')).length).to.be.at.most(4 * MIB);
    expect(file.hint).to.include('4 MiB');
  });

  it('cannot fork past the limit, and another command is not hurt by it', async () => {
    const bomb = `my $n = 0; while ($n < 500) { my $p = fork; last unless defined $p; if ($p == 0) { sleep 3; exit } $n++ } print $n;`;
    const job = ground.job({
      program: { kind: 'argv', file: '/usr/bin/perl', args: ['-e', bomb] },
      limits: { processes: 20 },
    });
    const [outcome, neighbour] = await Promise.all([
      outcomeOf(sandbox, job),
      sh("'/bin/sleep' 0.1 | '/bin/cat'; '/bin/echo' fine", { limits: { processes: 20 } }),
    ]);
    expect(Number(outcome.stdout)).to.be.within(10, 28);
    expect(neighbour.stdout).to.equal('fine\n');
  });

  it('cannot allocate past the limit', async () => {
    const limits = { memoryBytes: 128 * MIB };
    const greedy = {
      kind: 'argv',
      file: '/usr/bin/perl',
      args: ['-e', 'my $x = "a" x 3e9; print "had it";'],
    } as const;
    const result = await sandbox.run(ground.job({ program: greedy, limits }), new AbortController().signal);
    if (result.success) expect(result.value.exitCode).not.to.equal(0);
    else expect(result.error.kind).to.equal('limit-exceeded');
    expect(result.success ? result.value.stdout : '').to.equal('');
    const shared = {
      kind: 'argv',
      file: '/usr/bin/perl',
      args: ['-e', 'my $x = "a" x 2e8; sleep 10;'],
    } as const;
    const slow = await sandbox.run(ground.job({ program: shared, limits }), new AbortController().signal);
    expect(slow.success || slow.error.kind).to.equal('limit-exceeded');
  });

  it('cannot hold more files or burn more processor time than allowed', async () => {
    const files = await perl(
      'my @f; for (1..1000) { open(my $h, "<", "/dev/null") or last; push @f, $h } print scalar @f;',
    );
    expect(Number(files.stdout)).to.be.lessThan(256);
    const spin = await sh('while :; do :; done', { limits: { cpuSeconds: 1 } });
    expect(spin.exitCode).to.be.oneOf([137, 152]);
  });
});
