import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { childrenOf, descendantsOf } from '../../src/infrastructure/command/process/memory-watchdog.js';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { happens } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { processesWith } from '../support/sandbox-jobs.js';

const KILLS = process.env.CASTELLAN_LONG === '1' ? 200 : 6;
/** The words of the shell that holds a session. */
const HOLDER = 'exec 3<&-';

const WORKSPACE = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

function wordsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}

/** bwrap outside, bwrap as the first process, and the shell: whichever goes, the session goes. */
function leadersOf(server: number): readonly number[] {
  const outer = childrenOf(server).filter((pid) => wordsOf(pid).includes(HOLDER));
  return outer.flatMap((pid) => [pid, ...descendantsOf(pid)]);
}

/** Descriptors keep namespaces alive whose last process has ended. */
function namespacesHeldBy(server: number): number {
  const folder = `/proc/${server}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return /^(?:mnt|user|net|pid|ipc|uts):/.test(readlinkSync(`${folder}/${name}`));
    } catch {
      // Closed meanwhile.
      return false;
    }
  }).length;
}

describe('A session whose leader is killed with SIGKILL', function () {
  this.timeout(1_800_000);
  let project: HonestProject;
  let client: CommandClient;

  before(async () => {
    project = new HonestProject();
    client = await CommandClient.start(project, project.policy(WORKSPACE));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  it(`ends its commands with an answer, leaves nothing, and begins anew, ${KILLS} times`, async () => {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length;
    await client.run('true');
    const held = namespacesHeldBy(client.server.pid);
    let ended = 0;
    for (let number = 0; number < KILLS; number += 1) {
      const marker = `0.98${process.pid}${number}375`;
      const running = client.run(`setsid -f sleep ${marker}; sleep ${marker}`);
      const moment = (60 * number) / KILLS + Math.random() * 5;
      await new Promise((resolve) => setTimeout(resolve, moment));
      const leaders = leadersOf(client.server.pid);
      const leader = leaders[number % Math.max(1, leaders.length)];
      expect(leader, 'the leader of the session').not.to.equal(undefined);
      if (leader !== undefined) process.kill(leader, 'SIGKILL');
      const answer = await running;
      if (answer.value?.exit_code !== 0) ended += 1;
      // Ended by a signal; not begun, and said so; or begun in the session that came after.
      expect(answer.value?.exit_code ?? answer.error, JSON.stringify(answer)).to.satisfy(
        (told: unknown) => told === 137 || told === 0 || (typeof told === 'string' && told.length > 20),
      );
      const left = (): readonly number[] => processesWith(marker);
      expect(await happens(() => left().length === 0, 3_000), `left by kill ${number}`).to.equal(true);
      const next = await client.run('echo next');
      expect(next.value?.stdout, JSON.stringify(next)).to.equal('next\n');
    }
    expect(ended, 'commands that were met').to.be.above(0);
    expect(leadersOf(client.server.pid)).to.have.length.at.most(3);
    // A session has one more where a user namespace stands ready for its next command.
    const isEven = (): boolean => namespacesHeldBy(client.server.pid) <= held + 1;
    expect(await happens(isEven, 3_000), `${namespacesHeldBy(client.server.pid)} against ${held}`).to.equal(
      true,
    );
    expect(readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length).to.equal(mounts);
  });
});
