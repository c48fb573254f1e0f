import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { happens } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { processesWith } from '../support/sandbox-jobs.js';

const SECRETS = ['canary-outside', 'not-for-commands', 'canary-of-the-server'];

const WORKSPACE = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

const FORK_BOMB = '[os.fork() for _ in range(20)]';
/** 512 may: the limit is met by the last ones, in a fraction of what a bomb takes. */
const MORE_THAN_MAY_RUN = '[os.fork() or (time.sleep(1), os._exit(0)) for _ in range(600)]';

/** Any code may run under this policy; none of these may reach what the sandbox does not show. */
function attacks(
  project: HonestProject,
  ports: { tcp: number; udp: number },
  pid: number,
): readonly string[] {
  const outside = join(project.root, 'outside');
  const python = (code: string): string => `python3 -c '${code}'`;
  return [
    `cat ${outside}/secret`,
    'cat way-out/secret',
    `head -c 99 ../outside/secret`,
    python(`print(open("${outside}/secret").read())`),
    python('print(open(".env").read())'),
    'node -e \'console.log(require("fs").readFileSync(".env", "utf8"))\'',
    'grep -r not-for-commands .',
    'tar -cf - . | tr -d "\\0" | grep -a not-for-commands',
    'cp -r . /tmp/copy && cat /tmp/copy/.env',
    'ln .env hard && cat hard',
    `cat /proc/${pid}/environ`,
    'cat /proc/1/environ',
    'cat /proc/*/environ',
    `cat /proc/${pid}/root${outside}/secret`,
    `python3 -c 'open("${outside}/new", "w")'`,
    `cp README.md ${outside}/copied`,
    'cp README.md way-out/copied',
    `ln -s ${outside} out && cp README.md out/linked`,
    `mkdir -p ${outside}/folder`,
    `mv README.md ${outside}/moved`,
    python('open(".git/hooks/pre-commit", "w").write("#!/bin/sh")'),
    python('open(".git/config", "a").write("[core]\\n\\tfsmonitor = evil\\n")'),
    'mv .git .git-old && mkdir -p .git/hooks && touch .git/hooks/pre-commit',
    'git config core.fsmonitor ./evil',
    'git config --global core.pager ./evil && git log -1',
    python(`import socket; s = socket.create_connection(("127.0.0.1", ${ports.tcp}), 1); print(s.recv(99))`),
    python(
      `import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b"x", ("127.0.0.1", ${ports.udp}))`,
    ),
    python(
      `import socket; s = socket.socket(socket.AF_UNIX); s.connect("${project.root}/server.sock"); print(s.recv(99))`,
    ),
    python('import socket; s = socket.socket(socket.AF_UNIX); s.connect("inside.sock"); print(s.recv(99))'),
    `kill -9 ${pid}`,
    python(`import os; os.kill(${pid}, 9)`),
    'unshare -r true',
    'mount -t tmpfs none /mnt',
    `bash -c 'kill -9 -1'`,
    python(`import os, time; ${process.env.CASTELLAN_LONG === '1' ? FORK_BOMB : MORE_THAN_MAY_RUN}`),
    'chroot / true',
    'dd if=/dev/zero of=/tmp/full bs=1M count=2000',
    'python3 -c "x = bytearray(6_000_000_000); print(len(x))"',
    'sudo -n true',
    'su -c true',
  ];
}

describe('Code that runs under builtin:workspace', function () {
  this.timeout(180_000);
  let project: HonestProject;
  let client: CommandClient;
  let connected = 0;
  const closing: (() => void)[] = [];
  const ports = { tcp: 0, udp: 0 };

  async function listen(where: number | string): Promise<number> {
    const server = createServer((socket) => {
      connected += 1;
      socket.on('error', () => undefined).end('canary-outside');
    });
    closing.push(() => server.close());
    server.listen(typeof where === 'number' ? { port: where } : { path: where });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  before(async () => {
    project = new HonestProject();
    mkdirSync(join(project.root, 'outside'), { mode: 0o777 });
    writeFileSync(join(project.root, 'outside/secret'), 'canary-outside\n');
    symlinkSync('../outside', join(project.workspace, 'way-out'));
    ports.tcp = await listen(0);
    await listen(join(project.root, 'server.sock'));
    await listen(join(project.workspace, 'inside.sock'));
    const udp = createSocket('udp4').on('message', () => {
      connected += 1;
    });
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    ports.udp = udp.address().port;
    closing.push(() => udp.close());
    client = await CommandClient.start(project, project.policy(WORKSPACE), {
      SECRET: 'canary-of-the-server',
    });
  });

  after(async () => {
    await client?.stop();
    for (const close of closing) close();
    project?.remove();
  });

  it('reads no secret, reaches nothing outside and leaves nothing changed there', async () => {
    const config = readFileSync(join(project.workspace, '.git/config'), 'utf8');
    const hooks = readdirSync(join(project.workspace, '.git/hooks'));
    for (const line of attacks(project, ports, client.server.pid)) {
      const reply = await client.run({ command: line, timeout: 10 });
      for (const secret of SECRETS) expect(JSON.stringify(reply), line).not.to.include(secret);
    }
    expect(readdirSync(join(project.root, 'outside'))).to.deep.equal(['secret']);
    expect(readFileSync(join(project.workspace, '.git/config'), 'utf8')).to.equal(config);
    expect(readdirSync(join(project.workspace, '.git/hooks'))).to.deep.equal(hooks);
    expect(existsSync(join(project.workspace, '.git-old'))).to.equal(false);
    expect(connected).to.equal(0);
    expect((await client.run('true')).value?.exit_code).to.equal(0);
  });

  it('leaves no process, however it detached itself', async () => {
    const mark = `9${process.pid}7.75`;
    for (const line of [
      `setsid -f sleep ${mark}`,
      `nohup setsid -f sleep ${mark} > /dev/null 2>&1`,
      `python3 -c 'import os; os.fork() or (os.setsid(), os.fork() or os.execvp("sleep", ["sleep", "${mark}"]))'`,
      `perl -e 'fork or do { $SIG{TERM} = "IGNORE"; exec "sleep", "${mark}" }'`,
      `bash scripts/daemon.sh`,
    ]) {
      writeFileSync(join(project.workspace, 'scripts/daemon.sh'), `( ( sleep ${mark} & ) & )\n`);
      await client.run({ command: line, timeout: 5 });
      expect(await happens(() => processesWith(mark).length === 0), line).to.equal(true);
    }
  });
});
