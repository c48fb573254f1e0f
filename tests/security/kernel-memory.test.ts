import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

const MIB = 1024 * 1024;
const HOLD = 'time.sleep(20)';

/** Memory that the kernel holds for a command and that no process has, up to a few times the limit of 64 MiB. */
const ATTACKS: readonly (readonly [what: string, script: string])[] = [
  [
    'page tables',
    `import mmap, time\nm = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)\nm.madvise(15)\nfor i in range(60000): m[i << 21]\n${HOLD}`,
  ],
  [
    'page tables of many processes',
    `import mmap, os, time\nfor p in range(8):\n  if os.fork() == 0:\n    m = mmap.mmap(-1, 1 << 38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)\n    m.madvise(15)\n    for i in range(8000): m[i << 21]\n    ${HOLD}\n${HOLD}`,
  ],
  [
    'pairs of sockets',
    `import os, socket, time\nfor p in range(4):\n  if os.fork() == 0:\n    a = [socket.socketpair() for i in range(100)]\n    for pair in a:\n      for s in pair:\n        s.setsockopt(1, 7, 1 << 22)\n        s.setblocking(False)\n        try:\n          while True: s.send(bytes(65536))\n        except BlockingIOError: pass\n    ${HOLD}\n${HOLD}`,
  ],
  [
    'what waits in connections',
    `import socket, time\nl = socket.create_server(("127.0.0.1", 0))\nk = []\nfor i in range(100):\n  s = socket.create_connection(l.getsockname()); k += [s, l.accept()[0]]\n  s.setblocking(False)\n  for n in range(20):\n    try: s.send(bytes(1 << 20))\n    except BlockingIOError: time.sleep(0.005)\n${HOLD}`,
  ],
  [
    'empty files in memory',
    `import os, time\nfor i in range(60000): os.close(os.open("/dev/shm/%0200d" % i, os.O_CREAT | os.O_WRONLY))\n${HOLD}`,
  ],
  [
    'empty folders and links in memory',
    `import os, time\nfor i in range(30000):\n  os.mkdir("/dev/shm/d%d" % i); os.symlink("x" * 100, "/dev/shm/l%d" % i)\n${HOLD}`,
  ],
];

/** What the kernel would keep after the process has gone: refused as a whole. */
const REFUSED: readonly (readonly [what: string, call: string])[] = [
  ['large sets of semaphores', 'libc.semget(0, 32000, 0o600)'],
  ['large segments', 'libc.shmget(0, 1 << 20, 0o600)'],
  ['queues of messages', 'libc.msgget(0, 0o600)'],
];

describe('Memory that the kernel holds for a command', function () {
  this.timeout(60_000);
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

  const python = (script: string, session?: string) => {
    const limits = { memoryBytes: 64 * MIB, tmpBytes: 512 * MIB, timeoutMs: 40_000 };
    const job = ground.shell(`exec python3 - <<'EOF'\n${script}\nEOF`, { limits });
    return sandbox.run({ ...job, ...(session !== undefined && { session }) }, new AbortController().signal);
  };

  for (const [what, script] of ATTACKS) {
    for (const session of [undefined, 'one']) {
      it(`counts: ${what}, ${session === undefined ? 'alone' : 'in a session'}`, async () => {
        const outcome = await python(script, session);
        const said = outcome.success ? JSON.stringify(outcome.value) : outcome.error.message;
        expect(said).to.match(/used more than 64 MiB of memory/);
      });
    }
  }

  for (const [what, call] of REFUSED) {
    it(`is not there for ${what}`, async () => {
      const outcome = await python(`import ctypes\nlibc = ctypes.CDLL(None)\nprint(${call})`);
      expect(outcome.success && outcome.value.stdout, JSON.stringify(outcome)).to.equal('-1\n');
    });
  }

  it('lets through what programs honestly ask for', async () => {
    const outcome = await python(
      `import ctypes, socket, mmap\nlibc = ctypes.CDLL(None)\nprint(libc.semget(0, 17, 0o600) >= 0, libc.shmget(0, 56, 0o600) >= 0)\na = [socket.socketpair() for i in range(50)]\na[0][0].setsockopt(1, 7, 1 << 20); a[0][0].sendall(b"x"); print(a[0][1].recv(1))\nm = mmap.mmap(-1, 1 << 33)\nfor i in range(1000): open("/dev/shm/%d" % i, "w")\nprint("all")`,
    );
    expect(outcome.success && outcome.value.stdout, JSON.stringify(outcome)).to.equal(
      "True True\nb'x'\nall\n",
    );
  });
});
