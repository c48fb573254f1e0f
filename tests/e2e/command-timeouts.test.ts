import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, type CommandReply } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';

const LONG = process.env.CASTELLAN_LONG === '1';

const PATIENT = `
extends: [builtin:workspace]
tools:
  execute_command: { timeout: 120 }
`;

const HASTY = `
extends: [builtin:workspace]
tools:
  execute_command: { timeout: "300ms" }
`;

async function breakerState(client: CommandClient): Promise<unknown> {
  const { value } = await client.call('get_tool_stats', { tool: 'execute_command' });
  return JSON.stringify(value);
}

describe('The time of a command', function () {
  this.timeout(120_000);
  let project: HonestProject;
  let client: CommandClient;
  let long: Promise<CommandReply> | undefined;

  before(async () => {
    project = new HonestProject();
    client = await CommandClient.start(project, project.policy(PATIENT));
    // Longer than the 30 s of a policy that says nothing. The others run meanwhile.
    if (LONG) long = client.run({ command: 'sleep 35; echo woken', wait: 45 });
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  it('S4-12: five calls that a caller gave too little time leave the breaker closed', async () => {
    for (let call = 0; call < 6; call += 1) {
      const reply = await client.run({ command: 'sleep 5', timeout: 0.2 });
      expect(reply.error).to.match(/^Command timed out after 0\.2s/);
    }
    expect(await breakerState(client)).to.include('"breaker":"closed"');
    expect((await client.run('echo still here')).value?.stdout).to.equal('still here\n');
  });

  it('says that the policy gives less time than the call asked for', async () => {
    const hasty = await CommandClient.start(project, project.policy(HASTY));
    try {
      const reply = await hasty.run({ command: 'sleep 5', timeout: 60 });
      expect(reply.error).to.contain(
        "The policy's limit is 0.3 s; the user changes execute_command.timeout.",
      );
      const own = await hasty.run({ command: 'sleep 5', timeout: 0.1 });
      expect(own.error).not.to.contain("policy's limit");
    } finally {
      await hasty.stop();
    }
  });

  it("applies the policy's timeout until the answer, and not in the background", async () => {
    const short = await CommandClient.start(
      project,
      project.policy('extends: [builtin:workspace]\ntools:\n  execute_command: { timeout: 2 }\n'),
    );
    try {
      const detached = await short.run({ command: 'sleep 3; echo late', background: true });
      const outlived = await short.run({ command: 'sleep 3; echo late', wait: 1 });
      expect((await short.run({ command: 'sleep 60', wait: 2 })).error).to.match(
        /^Command timed out after 2s/,
      );
      for (const reply of [detached, outlived]) {
        const id = /p_[\w-]+/.exec(JSON.stringify(reply))?.[0];
        let shown = '';
        while (!/"state":"(exited|failed)"/.test(shown))
          shown = JSON.stringify(await short.call('process_output', { process_id: id, cursor: 0, wait: 10 }));
        expect(shown).to.contain('late').and.to.contain('"exit_code":0');
      }
    } finally {
      await short.stop();
    }
  });

  it("S4-12: the policy's timeout is the default of a command and counts, and the refusal names what went wrong last", async () => {
    const hasty = await CommandClient.start(project, project.policy(HASTY));
    try {
      for (let call = 0; call < 5; call += 1) {
        expect((await hasty.run('sleep 5')).error_type).to.equal('ToolTimeoutError');
      }
      const refused = await hasty.run('echo x');
      expect(refused.error_details?.reason).to.equal('BREAKER_OPEN');
      expect(refused.error).to.match(
        /disabled for another \d+ ms after 5 consecutive failures \(last error: ToolTimeoutError/,
      );
    } finally {
      await hasty.stop();
    }
  });

  it('a sandbox that cannot be set up says why each time', async () => {
    // As root the sandbox begins as another user, who must be able to read it.
    const folder = mkdtempSync(join(tmpdir(), 'castellan-programs-'));
    chmodSync(folder, 0o755);
    const broken = join(folder, 'broken');
    writeFileSync(
      join(folder, 'bwrap'),
      `#!/bin/sh\n[ -e ${broken} ] && { echo "bwrap: no more namespaces" >&2; exit 1; }\nexec /usr/bin/bwrap "$@"\n`,
    );
    chmodSync(join(folder, 'bwrap'), 0o755);
    const lame = await CommandClient.start(project, project.policy(PATIENT), {
      PATH: `${folder}:${process.env.PATH}`,
    });
    try {
      const works = await lame.run('echo before');
      expect(works.value?.stdout, works.error).to.equal('before\n');
      writeFileSync(broken, '');
      // The sandbox that stands ready for it may have been made before.
      await lame.run('echo x');
      for (let call = 0; call < 7; call += 1) {
        const reply = await lame.run('echo x');
        expect(reply.error).to.match(/sandbox could not be set up .*: bwrap: no more namespaces/);
        expect(reply.error_details?.reason).to.equal('SANDBOX_UNAVAILABLE');
      }
      rmSync(broken);
      expect((await lame.run('echo after')).value?.stdout).to.equal('after\n');
    } finally {
      await lame.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  if (LONG) {
    it('is longer than that of a policy that says nothing, where the policy says so', async () => {
      expect((await long)?.value).to.include({ exit_code: 0, stdout: 'woken\n' });
    });
  }
});
