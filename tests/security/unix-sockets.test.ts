import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const policyWith = (more: string): string =>
  `extends: [builtin:workspace]\nsandboxes: { workspace: { seccomp: unix_sockets } }\ntools:\n  execute_command:\n    ${more}${MANY_CALLS}\n`;

/** Tries to reach a socket in each way that there is; prints REACHED if one works. */
const REACH = `
import socket, sys
name = sys.argv[1].replace('@', '\\0')
def attempt(make):
    try:
        make()
        print('REACHED', repr(name))
    except OSError as error:
        print(type(error).__name__)
def connect(kind):
    with socket.socket(socket.AF_UNIX, kind) as one: one.connect(name)
def send(one):
    with one: one.sendto(b'x', name)
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM): attempt(lambda: connect(kind))
attempt(lambda: send(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)))
attempt(lambda: send(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]))
`;
/** Two processes that meet at a path, and two that meet at an abstract name. */
const MEET = `
import os, socket, sys
for name in ('/tmp/meet.sock', '\\0meet', os.environ['HOME'] + '/meet.sock'):
    server = socket.socket(socket.AF_UNIX); server.bind(name); server.listen()
    if os.fork() == 0:
        with socket.socket(socket.AF_UNIX) as one: one.connect(name); one.sendall(b'met')
        os._exit(0)
    print(server.accept()[0].recv(9).decode()); os.wait()
`;
const MANAGER = `
from multiprocessing import Manager, get_context
def square(x): return x * x
if __name__ == '__main__':
    with Manager() as manager: print(manager.dict(a=1))
    with get_context('spawn').Pool(2) as pool: print(pool.map(square, range(4)))
`;

function fail(): never {
  throw new Error('no server');
}

for (const [who, uid] of [
  ['an ordinary server', ORDINARY_USER],
  ['a root server', undefined],
] as const) {
  describe(`Unix sockets that a policy allows to the commands of ${who}`, function () {
    this.timeout(120_000);
    let made: GitGround;
    let client: CommandClient | undefined;
    let servers: Server[];
    let reached: string[];

    const listen = async (path: string): Promise<void> => {
      const server = createServer((connection) => {
        reached.push(path);
        connection.destroy();
      });
      servers.push(server);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(path, resolve);
      });
      if (!path.startsWith('\0')) chmodSync(path, 0o777);
    };
    const start = async (policy: string): Promise<void> => {
      made.own();
      client = await CommandClient.start(made, made.policy(policy), { HOME: made.home }, uid);
    };
    const said = async (command: string): Promise<string> => {
      const reply = await (client ?? fail()).run(command);
      return `${reply.error ?? ''}${reply.value?.stdout ?? ''}${reply.value?.stderr ?? ''}${reply.instruction ?? ''}`;
    };

    beforeEach(() => {
      made = new GitGround(uid ?? ORDINARY_USER);
      made.write('ws/reach.py', REACH);
      made.write('ws/meet.py', MEET);
      made.write('ws/manager.py', MANAGER);
      [servers, reached] = [[], []];
    });

    afterEach(async () => {
      await client?.stop();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      made.remove();
    });

    it('meet inside the session, and no socket of the host', async () => {
      const { workspace } = made;
      mkdirSync(join(workspace, 'deep/er'), { recursive: true });
      const abstract = `castellan-test-${process.pid}`;
      const temporary = `/tmp/castellan-test-${process.pid}.sock`;
      const before = [
        join(workspace, 'before.sock'),
        join(workspace, 'deep/er/before.sock'),
        join(made.home, 'agent.sock'),
        temporary,
      ];
      for (const path of before) await listen(path);
      await listen(`\0${abstract}`);
      symlinkSync(temporary, join(workspace, 'link.sock'));
      try {
        await start(policyWith(''));
        await said('true');
        const later = join(workspace, 'later.sock');
        await listen(later);
        const targets = [
          ...before,
          later,
          `@${abstract}`,
          join(workspace, 'link.sock'),
          `/proc/self/root${later}`,
          `/proc/1/root${later}`,
          './later.sock',
          '/run/systemd/private',
          '/run/dbus/system_bus_socket',
          '/dev/log',
        ];
        for (const target of targets)
          expect(await said(`python3 reach.py '${target}'`), target).not.to.contain('REACHED');
        expect(await said('python3 meet.py')).to.contain('met\nmet\nmet\n');
        expect(await said('python3 manager.py')).to.contain("{'a': 1}\n[0, 1, 4, 9]\n");
        expect(reached).to.deep.equal([]);
      } finally {
        rmSync(temporary, { force: true });
      }
    });

    it('are masked when a program of the host makes one while a command runs', async () => {
      await start(policyWith(''));
      const late = join(made.workspace, 'late.sock');
      await (client ?? fail()).run({ command: 'sleep 60', background: true });
      await listen(late);
      await eventually(
        'it is masked',
        async () => !(await said(`python3 reach.py '${late}'`)).includes('REACHED'),
      );
    });

    it('stay closed to a command with the network of the host, whose abstract names it would share', async () => {
      const abstract = `castellan-full-${process.pid}`;
      await listen(`\0${abstract}`);
      await start(policyWith('network: full\n    '));
      const answer = await said(`python3 reach.py '@${abstract}'`);
      expect(answer).to.contain('PermissionError').and.not.to.contain('REACHED');
      expect(reached).to.deep.equal([]);
    });

    it('stay closed where the policy does not name them, and the hint says how to allow them', async () => {
      await start(`extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`);
      expect(await said('python3 manager.py')).to.contain('seccomp: unix_sockets');
    });
  });
}
