import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe } from 'mocha';
import { eventually } from '../support/eventually.js';
import { TreeAttackGround, testsAs, told, USERS } from '../support/tree-attack-ground.js';

const WORKSPACE = 'version: 1\nextends: [builtin:workspace]\n';

for (const user of USERS) {
  describe(`What commands make and users save, as ${user === undefined ? 'the user of the tests' : `user ${user}`}`, function () {
    this.timeout(60_000);
    const test = testsAs(user);
    let ground: TreeAttackGround;

    beforeEach(() => {
      ground = new TreeAttackGround(user);
    });
    afterEach(() => ground.remove());

    test('flags, policies and settings made by a command are taken away and named', async () => {
      const client = await ground.start(`${WORKSPACE}tools: { set_project_flag: { enabled: false } }\n`);
      const answer = await client.run({
        command: 'bash',
        stdin: `mkdir .castellan config; echo '{"beta":true}' > .castellan/flags.json; echo 'tools: {}' > permissions.yaml; echo x > config/castellan.yaml; exit 0`,
      });
      for (const name of ['.castellan', 'permissions.yaml', 'config/castellan.yaml']) {
        expect(told(answer)).to.contain(name);
        expect(existsSync(join(ground.workspace, name)), name).to.equal(false);
      }
      const flag = await client.call('get_project_flag', { flag: 'beta' });
      expect(JSON.stringify(flag)).not.to.match(/"value":true/);
    });

    test('flags that the server itself sets while a command runs stay', async () => {
      const client = await ground.start(WORKSPACE);
      await client.run('true');
      const running = client.run({ command: 'bash', stdin: 'touch begun; sleep 2' });
      await eventually('it runs', () => existsSync(join(ground.workspace, 'begun')));
      await client.call('set_project_flag', { flag: 'beta', value: true });
      expect(told(await running)).not.to.contain('.castellan');
      expect(JSON.stringify(await client.call('get_project_flag', { flag: 'beta' }))).to.match(/true/);
    });

    test('protected files are told also where the command runs out of time', async () => {
      const client = await ground.start(WORKSPACE);
      const answer = await client.run({
        command: 'bash',
        stdin: 'mkdir .vscode; echo evil > .vscode/tasks.json; echo x > CLAUDE.md; sleep 40',
        timeout: 2,
      });
      expect(answer.success).to.equal(false);
      expect(told(answer)).to.contain('.vscode').and.contain('CLAUDE.md');
    });

    test('a save from outside opens nothing to a running command', async () => {
      for (const [name, text] of [
        ['CLAUDE.md', 'be good\n'],
        ['.env', 'OLD-SECRET\n'],
        ['castellan.yaml', 'log: { level: info }\n'],
      ] as const)
        ground.put(name, text);
      const client = await ground.start(WORKSPACE);
      const running = client.run({
        command: 'bash',
        stdin: `touch begun; for i in $(seq 60); do sleep 0.05; cat .env; cat fresh/.env; [ -e saved ] && for f in CLAUDE.md castellan.yaml; do echo obey >> $f; done; done 2>/dev/null; echo done`,
      });
      await eventually('it runs', () => existsSync(join(ground.workspace, 'begun')));
      const save = (name: string, text: string): void => {
        const fresh = ground.put(`${name}.new-file`, text);
        renameSync(fresh, join(ground.workspace, name));
      };
      save('CLAUDE.md', 'be better\n');
      save('castellan.yaml', 'log: { level: warn }\n');
      save('.env', 'NEW-SECRET\n');
      // The command reads at the same moment; what counts is that it does not stay open.
      await new Promise((resolve) => setTimeout(resolve, 400));
      writeFileSync(join(ground.workspace, 'saved'), '');
      const { value } = await running;
      const seen = (value?.stdout.match(/NEW-SECRET/g) ?? []).length;
      expect(seen, 'reads before the cover was made again').to.be.lessThan(10);
      expect(readFileSync(join(ground.workspace, 'CLAUDE.md'), 'utf8')).to.equal('be better\n');
      expect(readFileSync(join(ground.workspace, 'castellan.yaml'), 'utf8')).to.equal(
        'log: { level: warn }\n',
      );
    });
  });
}
