import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';
import { CHANGING_LINES, READING_LINES, REPHRASED_LINES } from '../support/honest-workspace-lines.js';

const WORKSPACE = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

/** grep finds all there is to find, and ends with 2 because of a hidden file, as with any that it may not read. */
function passedOverHidden({ value }: CommandReply): boolean {
  const said = value?.stderr.trim().split('\n') ?? [];
  return value?.exit_code === 2 && said.every((line) => /grep: \S*\.env: Permission denied$/.test(line));
}

const LONG = process.env.CASTELLAN_LONG === '1';
/** Package managers take a second for each line: an installation and a build in an ordinary run, all in the long one. */
const SLOW = /^(?!npm install|rm -rf dist).*(?:\bnp[mx]\b|venv)/s;

/** Every `step`th line; all of them in the long run. */
function some<T>(lines: readonly T[], step: number): readonly T[] {
  return lines.filter((_, index) => LONG || index % step === 0);
}

describe('Honest work under builtin:workspace', function () {
  this.timeout(240_000);
  let project: HonestProject;
  let client: CommandClient;
  const failed: string[] = [];
  const refused: string[] = [];

  function judge(line: string, reply: CommandReply | undefined): void {
    if (reply?.success !== true) refused.push(`${line}: ${reply?.error ?? 'no answer'}`);
    else if (reply.value?.exit_code !== 0 && !passedOverHidden(reply))
      failed.push(
        `${line}: ${reply.value?.exit_code} ${reply.value?.stdout.slice(-300)}${reply.value?.stderr.slice(-300)}`,
      );
  }

  before(async () => {
    project = new HonestProject();
    client = await CommandClient.start(project, project.policy(WORKSPACE));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  it('runs what agents type to look at a project, build it and test it', async () => {
    const lines = some(READING_LINES, 6);
    const replies = await client.runAll(lines, 4);
    for (const [index, line] of lines.entries()) judge(line, replies[index]);
    expect(failed).to.deep.equal([]);
    expect(refused).to.deep.equal([]);
  });

  it('runs what they type to change it and to commit', async () => {
    for (const line of CHANGING_LINES.filter((one) => LONG || !SLOW.test(one)))
      judge(line, await client.run(line));
    expect(failed).to.deep.equal([]);
    expect(refused).to.deep.equal([]);
  });

  it('runs what only a shell understands as it is, and the plainer form as well', async () => {
    const total = READING_LINES.length + CHANGING_LINES.length + REPHRASED_LINES.length;
    expect(total).to.be.at.least(300);
    for (const [line, instead] of some(REPHRASED_LINES, 4)) {
      const reply = await client.run(line);
      // 1: two lists differ, or a tracked file is gone after what was done above.
      expect(reply.value?.exit_code, `${line}: ${reply.error}`).to.be.oneOf([0, 1]);
      const again = await client.run(instead);
      expect(again.value?.exit_code, `${instead}: ${again.error}`).to.equal(0);
    }
  });

  it('runs the same lines as a script on the input of a shell', async () => {
    const scripts = some(REPHRASED_LINES, 3).map(([line]) => `bash <<'EOF'\n${line}\nEOF`);
    const replies = await client.runAll(scripts, 4);
    for (const [index, reply] of replies.entries()) {
      // 1: two lists differ, or a tracked file is gone after what was done above.
      expect(reply.value?.exit_code, `${scripts[index]}: ${reply.error}`).to.be.oneOf([0, 1]);
    }
  });
});
