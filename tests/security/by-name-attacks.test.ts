import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { PASSING_BY_NAME, REFUSED_BY_NAME } from '../support/by-name-lines.js';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { AttackGround } from '../support/command-ground.js';

/** Many names on purpose: that a name is allowed must not open what the program can be turned into. */
const NAMES =
  'ls cat grep find sort head wc sed tar diff echo printf date git env xargs nice timeout nohup ionice time prlimit chrt taskset setsid stdbuf flock cp mv ln bash strace script parallel unbuffer fakeroot setpriv capsh systemd-run dbus-run-session xvfb-run ssh-agent setarch linux64 numactl choom catchsegv bwrap proot firejail busybox toybox hyperfine run-parts ld-linux-x86-64.so.2 nodemon watchexec cross-env tmux screen start-stop-daemon expect valgrind perf socat gdb awk npm uv poetry bundle pnpm yarn go cargo make split zip uniq xxd ldd openssl';

/** Without a sandbox whatever slips through has its effect. */
const POLICY = `
tools:
  execute_command:
    allowed_commands: [${NAMES.replaceAll(' ', ', ').replace(', bash', ', { command: [bash], interpreter: true }')}]
    sandbox: none
    timeout: 15
    ${MANY_CALLS}
`;

describe('Programs allowed by name', function () {
  this.timeout(240_000);
  let ground: AttackGround;
  let client: CommandClient;

  before(async () => {
    ground = new AttackGround();
    client = await CommandClient.start(ground, ground.policy('policy.yaml', POLICY));
  });

  after(async () => {
    await client?.stop();
    ground?.remove();
  });

  it('are attacked in many ways, of many kinds', () => {
    expect(Object.values(REFUSED_BY_NAME).flat().length).to.be.at.least(150);
    expect(PASSING_BY_NAME.length).to.be.at.least(60);
  });

  for (const [kind, attacks] of Object.entries(REFUSED_BY_NAME)) {
    it(`do not become others: ${kind}`, async () => {
      const through: string[] = [];
      for (const [number, attack] of attacks.entries()) {
        const reply = await client.run(ground.aim(attack, number));
        if (!isRefusal(reply))
          through.push(`${JSON.stringify(attack)}: ${JSON.stringify(reply).slice(0, 200)}`);
      }
      expect(through).to.deep.equal([]);
      expect(ground.changes()).to.deep.equal([]);
    });
  }

  it('go on doing what they are for', async () => {
    const refused: string[] = [];
    for (const [number, line] of PASSING_BY_NAME.entries()) {
      const reply = await client.run(ground.aim(line, number));
      if (reply.success !== true) refused.push(`${JSON.stringify(line)}: ${reply.error}`);
    }
    expect(refused).to.deep.equal([]);
    expect(ground.changes().filter((change) => !change.includes('lock-file'))).to.deep.equal([]);
  });
});

function isRefusal({ success, error_details: details }: CommandReply): boolean {
  return success === false && details?.reason !== undefined;
}
