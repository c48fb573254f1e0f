import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const REPETITIONS = process.env.CASTELLAN_LONG === '1' ? 50 : 2;
/** Writes `begun`, and when it is asked to end `tidied`. */
const TRAP = `trap 'echo tidied > tidied; exit 3' TERM; echo begun > begun; while :; do sleep 0.05; done`;
/** make removes a target that it was making when it is asked to end. */
const MAKEFILE = 'out:\n\techo half > out; echo begun > begun; sleep 300; echo whole > out\n';

describe('Ending a command', function () {
  this.timeout(120_000);
  let made: GitGround;
  let client: CommandClient;

  beforeEach(async () => {
    made = new GitGround(ORDINARY_USER);
    made.write('ws/trap.sh', TRAP);
    made.write('ws/deaf.sh', `trap '' TERM; echo begun > begun; while :; do sleep 1; done`);
    made.write('ws/Makefile', MAKEFILE);
    made.own();
    client = await start();
  });

  afterEach(async () => {
    await client.stop();
    made.remove();
  });

  const start = (): Promise<CommandClient> =>
    CommandClient.start(made, made.policy(POLICY), { HOME: made.home }, ORDINARY_USER);
  const has = (name: string): boolean => existsSync(join(made.workspace, name));
  const fresh = (): void => void made.sh(['rm', '-f', 'begun', 'tidied', 'out']);
  /** Of the command, not of what the session keeps. */
  const left = (): readonly string[] =>
    descendantsOf(client.server.pid)
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          // It has ended since it was listed.
          return '';
        }
      })
      .filter((line) => /trap\.sh|deaf\.sh|make|sleep/.test(line));

  async function begin(command: string): Promise<string> {
    fresh();
    const reply = await client.run({ command, background: true });
    await eventually('it has begun', () => has('begun'));
    return /p_[\w-]+/.exec(JSON.stringify(reply))?.[0] ?? '';
  }

  it('lets it tidy up when its time is over', async () => {
    for (let count = 0; count < REPETITIONS; count += 1) {
      fresh();
      const reply = await client.run({ command: 'bash trap.sh', timeout: 2 });
      expect(reply.success).to.equal(false);
      expect(has('begun') && has('tidied'), JSON.stringify(reply)).to.equal(true);
      expect(left()).to.deep.equal([]);
    }
  });

  it('lets it tidy up when it is stopped, and make removes what it has half written', async () => {
    for (let count = 0; count < REPETITIONS; count += 1) {
      await client.call('stop_process', { process_id: await begin('bash trap.sh') });
      expect(has('tidied')).to.equal(true);
      await client.call('stop_process', { process_id: await begin('make') });
      expect(has('out')).to.equal(false);
      expect(left()).to.deep.equal([]);
    }
  });

  it('lets it tidy up when its session ends, with the server', async () => {
    for (let count = 0; count < REPETITIONS; count += 1) {
      if (count > 0) client = await start();
      await begin(count % 2 === 0 ? 'bash trap.sh' : 'make');
      const all = descendantsOf(client.server.pid).map(identityOf);
      await client.server.end();
      expect(has(count % 2 === 0 ? 'tidied' : 'begun')).to.equal(true);
      expect(has('out')).to.equal(false);
      await eventually('nothing is left', () => !all.some(isThere));
    }
  });

  it('does not wait for ever for one that does not listen', async () => {
    await client.call('stop_process', { process_id: await begin('bash deaf.sh') });
    expect(left()).to.deep.equal([]);
  });

  it('leaves nothing behind where the server is killed', async () => {
    await begin('bash deaf.sh');
    const all = descendantsOf(client.server.pid).map(identityOf);
    await client.server.signal('SIGKILL');
    await eventually('nothing is left', () => !all.some(isThere));
  });
});

/** A process by its number and its start: numbers are used again. */
type ProcessIdentity = readonly [pid: number, start: string | undefined];

const identityOf = (pid: number): ProcessIdentity => [pid, startOf(pid)];

function isThere([pid, start]: ProcessIdentity): boolean {
  return start !== undefined && startOf(pid) === start;
}

/** undefined: it has ended. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(fields[0] ?? 'X') ? undefined : fields[19];
  } catch {
    // It is gone.
    return undefined;
  }
}
