import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';

const MONITOR = (canary: string): string => `[core]\n\tfsmonitor = "touch ${canary}; false"\n`;
const PROGRAM = (canary: string): string => `#!/bin/sh\ntouch ${canary}\ncat\n`;

/** A setting of the user, the file that it names, what it held and would hold, and what the user does then. */
const CASES = [
  { key: 'include.path', value: '../team.gitconfig', file: 'team.gitconfig', evil: MONITOR, user: 'status' },
  {
    key: 'includeIf.onbranch:main.path',
    value: '../cfg/x.inc',
    file: 'cfg/x.inc',
    evil: MONITOR,
    user: 'status',
  },
  { key: 'core.fsmonitor', value: 'tools/mon.sh', file: 'tools/mon.sh', evil: PROGRAM, user: 'status' },
  { key: 'filter.x.clean', value: './tools/clean.sh', file: 'tools/clean.sh', evil: PROGRAM, user: 'add -A' },
  {
    key: 'core.hooksPath',
    value: 'githooks',
    file: 'githooks/pre-commit',
    evil: PROGRAM,
    user: 'commit --allow-empty -qm x',
  },
] as const;

describe('A file of the workspace that the configuration of git names', function () {
  this.timeout(60_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function ground({ key, value, file, evil }: (typeof CASES)[number]): GitGround {
    const made = new GitGround();
    closing.push(() => made.remove());
    made.write(`ws/${file}`, evil === PROGRAM ? '#!/bin/sh\ncat\n' : '[pull]\n\trebase = true\n');
    chmodSync(join(made.workspace, file), 0o755);
    made.write('ws/.gitattributes', '*.txt filter=x\n');
    made.git('add', '.');
    made.git('commit', '-qm', 'named');
    made.git('config', key, value);
    return made;
  }

  for (const one of CASES) {
    it(`runs nothing of an agent: ${one.key}`, async () => {
      const made = ground(one);
      const text = one.evil(made.canary);
      const before = readFileSync(join(made.workspace, one.file), 'utf8');
      const policy = made.policy('extends: [builtin:workspace]\n');
      const client = await CommandClient.start(made, policy, { HOME: made.home });
      closing.push(() => client.stop());
      const written = await client.call('write_file', { path: one.file, content: text });
      expect(written.success, JSON.stringify(written)).to.equal(false);
      for (const way of [`cat > ${one.file}`, `rm -f ${one.file}; cat > ${one.file}`])
        await client.run({ command: 'bash', stdin: `printf '%s' '${text}' | bash -c '${way}'` });
      made.write('ws/a.txt', 'changed\n');
      made.sh(['sh', '-c', `git ${one.user}`]);
      expect(made.wasRun).to.equal(false);
      expect(readFileSync(join(made.workspace, one.file), 'utf8')).to.equal(before);
      // Without Castellan the same text would have been obeyed.
      made.write(`ws/${one.file}`, text);
      made.write('ws/a.txt', 'changed again\n');
      made.sh(['sh', '-c', `git ${one.user}`]);
      expect(made.wasRun).to.equal(true);
    });
  }
});
