import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LiveCommand, SandboxView } from '../../src/application/ports/command/command-sandbox.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually } from '../support/eventually.js';
import { requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

/** How a process gets hold of a file that was just saved, and what it does with that later. */
interface Holder {
  readonly what: string;
  readonly hold: string;
  readonly use: string;
}

const WRITERS: readonly Holder[] = [
  {
    what: 'a descriptor',
    hold: 'f = os.open("CLAUDE.md", os.O_WRONLY | os.O_APPEND)',
    use: 'os.write(f, b"EVIL")',
  },
  {
    what: 'a shared mapping without a descriptor',
    hold: 'f = os.open("CLAUDE.md", os.O_RDWR); m = mmap.mmap(f, 0); os.close(f)',
    use: 'm[0:4] = b"EVIL"; m.flush()',
  },
  {
    what: 'a descriptor on its way through a socket',
    hold: 'f = os.open("CLAUDE.md", os.O_WRONLY); a, b = socket.socketpair(); socket.send_fds(a, [b"x"], [f]); os.close(f)',
    use: 'os.write(socket.recv_fds(b, 1, 1)[1][0], b"EVIL")',
  },
  {
    what: 'a descriptor for reading that it opens again through /proc',
    hold: 'f = os.open("CLAUDE.md", os.O_RDONLY)',
    use: 'os.write(os.open("/proc/self/fd/%d" % f, os.O_WRONLY), b"EVIL")',
  },
  {
    what: 'a descriptor that leads to it and to nothing else',
    hold: 'f = os.open("CLAUDE.md", os.O_PATH)',
    use: 'os.write(os.open("/proc/self/fd/%d" % f, os.O_WRONLY), b"EVIL")',
  },
  {
    what: 'a descriptor that only one of its threads has',
    hold: [
      'e = threading.Event(); r = threading.Event()',
      'def t():',
      '  global f',
      '  ctypes.CDLL(None).unshare(0x400)',
      '  f = os.open("CLAUDE.md", os.O_WRONLY)',
      '  e.set(); r.wait(); os.write(f, b"EVIL"); os._exit(0)',
      'threading.Thread(target=t, daemon=True).start()',
      'assert e.wait(2)',
    ].join('\n'),
    use: 'r.set(); time.sleep(5)',
  },
];

const program = ({ hold, use }: Pick<Holder, 'hold' | 'use'>): string =>
  [
    'import ctypes, mmap, os, socket, threading, time',
    'while not os.path.exists("saved"): time.sleep(0.005)',
    hold,
    'open("held", "w").close()',
    'while not os.path.exists("go"): time.sleep(0.005)',
    use,
    'open("used", "w").close()',
  ].join('\n');

for (const session of process.env.CASTELLAN_AGAIN === '1' ? ['one'] : [undefined, 'one'])
  describe(`A protected file that is replaced while a command runs${session === undefined ? '' : ' in a session'}`, () => {
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

    const at = (name: string): string => join(ground.workspace, name);
    const save = (name: string, text: string): void => {
      writeFileSync(at('new'), text);
      renameSync(at('new'), at(name));
      writeFileSync(at('saved'), '');
    };
    const run = async (text: string, changes: Partial<SandboxView>) => {
      const view: SandboxView = {
        read: [],
        write: [ground.workspace],
        hide: [],
        readOnlyInside: [],
        ...changes,
      };
      let tell: (command: LiveCommand) => void = () => undefined;
      const live = new Promise<LiveCommand>((resolve) => {
        tell = resolve;
      });
      const onLive = (command: LiveCommand): (() => void) => {
        tell(command);
        return () => undefined;
      };
      const tmp = join(ground.state, 'tmp');
      const job = { ...ground.shell(text, { view, onLive }), ...(session && { session, tmp }) };
      const result = sandbox.run(job, new AbortController().signal);
      return { result, command: await live };
    };
    /** A process that holds the file, and another one that has nothing to do with it. */
    const watched = (text: string): string =>
      `'/bin/sleep' 300 & other=$!; python3 -c '${text}'; kill $other && '/bin/echo' other lived`;

    for (const holder of WRITERS)
      it(`is not written through ${holder.what}, whose process is ended and named`, async () => {
        writeFileSync(at('CLAUDE.md'), 'first');
        const { result, command } = await run(watched(program(holder)), {
          readOnlyInside: [at('CLAUDE.md')],
        });
        save('CLAUDE.md', 'second');
        await eventually('the file is held', () => existsSync(at('held')));
        await command.cover({ hide: [], readOnlyInside: [at('CLAUDE.md')] });
        writeFileSync(at('go'), '');
        const outcome = await result;
        expect(existsSync(at('used'))).to.equal(false);
        expect(readFileSync(at('CLAUDE.md'), 'utf8')).to.equal('second');
        expect(outcome.success && outcome.value.stdout).to.include('other lived');
        expect(outcome.success && outcome.value.hint).to.match(/"python3[^"]*" was ended.*CLAUDE\.md/);
      });

    it('would be written by a process that is not ended, so that the tests above mean something', async () => {
      writeFileSync(at('CLAUDE.md'), 'first');
      const { result } = await run(watched(program(WRITERS[0] as Holder)), {
        readOnlyInside: [at('CLAUDE.md')],
      });
      save('CLAUDE.md', 'second');
      await eventually('the file is held', () => existsSync(at('held')));
      writeFileSync(at('go'), '');
      await result;
      expect(readFileSync(at('CLAUDE.md'), 'utf8')).to.equal('secondEVIL');
    });

    it('is not written from inside a replaced folder, and a hidden one is not read on', async () => {
      for (const folder of ['.vscode', 'next']) mkdirSync(at(folder));
      writeFileSync(at('.env'), 'OLD');
      const standing = program({ hold: 'os.chdir(".vscode")', use: 'open("tasks.json", "w").close()' })
        .replace('open("held"', 'open("../held"')
        .replace('exists("go")', 'exists("../go")')
        .replace('open("used"', 'open("../used"');
      const reading = program({
        hold: 'f = os.open(".env", os.O_RDONLY)',
        use: 'os.write(1, os.read(f, 99))',
      }).replace('open("held"', 'open("held-too"');
      const { result, command } = await run(`python3 -c '${standing}' & python3 -c '${reading}'; wait`, {
        readOnlyInside: [at('.vscode')],
        hide: [at('.env')],
      });
      renameSync(at('.vscode'), at('old'));
      renameSync(at('next'), at('.vscode'));
      save('.env', 'SECRET');
      await eventually('both are held', () => existsSync(at('held')) && existsSync(at('held-too')));
      await command.cover({ hide: [at('.env')], readOnlyInside: [at('.vscode')] });
      writeFileSync(at('go'), '');
      const outcome = await result;
      expect(outcome.success && outcome.value.stdout).not.to.include('SECRET');
      expect(existsSync(at('.vscode/tasks.json'))).to.equal(false);
      expect(existsSync(at('used'))).to.equal(false);
    });

    it('lets go on who opened it for reading after it was covered', async () => {
      writeFileSync(at('CLAUDE.md'), 'first');
      const reader = program({
        hold: 'f = os.open("CLAUDE.md", os.O_RDONLY)',
        use: 'os.write(1, os.read(f, 99))',
      });
      const { result, command } = await run(`python3 -c '${reader}'`, { readOnlyInside: [at('CLAUDE.md')] });
      rmSync(at('CLAUDE.md'));
      writeFileSync(at('CLAUDE.md'), 'second');
      await command.cover({ hide: [], readOnlyInside: [at('CLAUDE.md')] });
      writeFileSync(at('saved'), '');
      await eventually('the file is held', () => existsSync(at('held')));
      await command.cover({ hide: [], readOnlyInside: [at('CLAUDE.md')] });
      writeFileSync(at('go'), '');
      const outcome = await result;
      expect(outcome.success && outcome.value.stdout).to.equal('second');
    });
  });

describe('A protected file that is replaced where only bubblewrap may make namespaces', () => {
  it('ends the command, since nothing can be mounted any more', async () => {
    // Never met by a root server.
    if (process.getuid?.() === 0) return;
    const ground = new SandboxGround();
    const sandbox = ground.bubblewrap({ onlyBubblewrap: true });
    try {
      const fixed = join(ground.workspace, 'CLAUDE.md');
      writeFileSync(fixed, 'first');
      const onLive = (command: LiveCommand): (() => void) => {
        setImmediate(() => void command.cover({ hide: [], readOnlyInside: [fixed] }));
        return () => undefined;
      };
      const view = { read: [], write: [ground.workspace], hide: [], readOnlyInside: [fixed] };
      const result = await sandbox.run(
        ground.shell("'/bin/sleep' 30", { view, onLive }),
        new AbortController().signal,
      );
      expect(result.success || result.error.message).to.match(/could not be covered: .*CLAUDE\.md/);
    } finally {
      await sandbox.close();
      ground.remove();
    }
  });
});
