import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

/** Each would make some helper of the server load or run something, if the helper had it. */
const NAMES = ['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'GCONV_PATH', 'BASH_ENV', 'GIT_EXEC_PATH', 'PS4'];
/** The program of the command that the server runs for itself when a client connects, in the same sandbox. */
const PREPARING = 'true';
const MARK = 'value-of-the-policy';

interface Seen {
  readonly name: string;
  readonly environment: string;
  readonly line: string;
}

function processesOf(server: number): readonly Seen[] {
  return descendantsOf(server).flatMap((pid) => {
    try {
      const [name, environment, line] = ['comm', 'environ', 'cmdline'].map((file) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8'),
      );
      return [{ name: name?.trim() ?? '', environment: environment ?? '', line: line ?? '' }];
    } catch {
      // It has ended since it was listed.
      return [];
    }
  });
}

describe("A policy's variables", function () {
  this.timeout(60_000);
  let made: GitGround;
  let client: CommandClient;

  afterEach(async () => {
    await client.stop();
    made.remove();
  });

  async function serve(env: string, uid?: number): Promise<void> {
    made = new GitGround(uid);
    const policy = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    env: ${env}\n    ${MANY_CALLS}\n`;
    const variables = { HOME: made.home, GIT_EXEC_PATH: `${MARK}-passed` };
    client = await CommandClient.start(made, made.policy(policy), variables, uid);
  }

  /** What runs while a command sleeps: nobody but its own programs has the variables. */
  async function onlyInside(call: Readonly<Record<string, unknown>>): Promise<void> {
    const { pid } = client.server;
    const reply = await client.run({ command: 'sleep 60', background: true, ...call });
    expect(reply.success, JSON.stringify(reply)).to.equal(true);
    await eventually('it sleeps', () => processesOf(pid).some(({ name }) => name === 'sleep'));
    const seen = processesOf(pid);
    expect(seen.map(({ name }) => name)).to.include('bwrap');
    for (const { name, environment, line } of seen) {
      expect(line, name).not.to.contain(MARK);
      if (name === 'sleep') expect(environment).to.contain(MARK);
      else if (name !== PREPARING) expect(environment, name).not.to.contain(MARK);
    }
  }

  const set = Object.fromEntries(NAMES.map((name) => [name, `/${MARK}`]));

  for (const uid of ORDINARY_USER === undefined ? [undefined] : [undefined, ORDINARY_USER]) {
    const who = uid === undefined ? '' : ' of an ordinary user';

    it(`reach no helper outside the sandbox${who}: those that the caller gives`, async () => {
      await serve(`{ accept: [${NAMES.join(', ')}] }`, uid);
      await onlyInside({ env: set });
      await onlyInside({ env: set, stdin: 'text' });
    });

    it(`reach no helper outside the sandbox${who}: those that the policy sets`, async () => {
      await serve(`{ set: ${JSON.stringify(set)} }`, uid);
      await onlyInside({});
    });

    it(`reach no helper outside the sandbox${who}: those that it passes on`, async () => {
      await serve('{ pass: [GIT_EXEC_PATH] }', uid);
      await onlyInside({});
    });
  }

  it('are loaded by the program of the command alone', async () => {
    await serve('{ accept: [LD_PRELOAD] }');
    const reply = await client.run({ command: 'true', stdin: 'x', env: { LD_PRELOAD: '/nothing.so' } });
    expect(reply.value?.stderr.split('\n').filter((line) => line.includes('/nothing.so'))).to.have.lengthOf(
      1,
    );
  });

  it('come as they are, whatever a shell would make of them', async () => {
    await serve(`{ accept: [IFS, PS4, BASH_ENV, SHELLOPTS, TEXT] }`);
    const env = {
      IFS: 'x',
      PS4: '$(touch y)',
      BASH_ENV: "a'b",
      SHELLOPTS: 'xtrace',
      TEXT: "line one\n'two' $HOME",
    };
    const reply = await client.run({ command: 'env', args: ['-0'], env });
    const seen = new Map(reply.value?.stdout.split('\0').map((entry) => [entry.split('=', 1)[0], entry]));
    for (const [name, value] of Object.entries(env)) expect(seen.get(name)).to.equal(`${name}=${value}`);
    expect(seen.has('OLDPWD')).to.equal(false);
  });
});
