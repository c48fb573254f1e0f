import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe } from 'mocha';
import { CommandClient } from '../support/command-client.js';
import { TreeAttackGround, testsAs, USERS } from '../support/tree-attack-ground.js';

const POLICY = 'version: 1\nextends: [builtin:workspace]\n# POLICY_CONTENT\n';
const SETTINGS = '# redis: { url: "redis://u:SETTINGS_PASSWORD@h" }\nlog: { requests: true }\n';
const CONTENT = /POLICY_CONTENT|SETTINGS_PASSWORD/;

for (const user of USERS) {
  describe(`The policy and settings in force, as ${user === undefined ? 'the user of the tests' : `user ${user}`}`, function () {
    this.timeout(60_000);
    const test = testsAs(user);
    let ground: TreeAttackGround;
    let client: CommandClient | undefined;

    beforeEach(() => {
      ground = new TreeAttackGround(user);
    });
    afterEach(async () => {
      await client?.stop();
      await ground.remove();
    });

    /** With both files in the workspace, named by their paths. */
    async function serve(policy: string, settings: string): Promise<CommandClient> {
      const env = {
        CASTELLAN_CONFIG: ground.put(settings, SETTINGS),
        HOME: ground.state,
        XDG_CONFIG_HOME: ground.state,
      };
      client = await CommandClient.start(ground, ground.put(policy, POLICY), env, user);
      return client;
    }

    test('cannot be read by commands, whatever they call them', async () => {
      const server = await serve('permissions.yaml', 'castellan.yaml');
      for (const text of [
        'grep -rhE "CONTENT|PASSWORD" .',
        'cat *.yaml; cat perm*; head -c 9999 castellan.y?ml',
        'cat /proc/self/cwd/permissions.yaml; cat /proc/self/root$PWD/castellan.yaml',
        'for p in /proc/[0-9]*; do cat $p/root$PWD/castellan.yaml $p/cwd/permissions.yaml; done',
        'cp permissions.yaml copy; cat copy; ln castellan.yaml other; cat other; ln -s castellan.yaml link; cat link',
        'mv permissions.yaml moved; cat moved; dd if=castellan.yaml; tar c . | grep -a PASSWORD',
      ])
        expect(await ground.sh(server, text), text).not.to.match(CONTENT);
    });

    test('cannot be read after their folder was given another name', async () => {
      const server = await serve('conf/rules.yaml', 'conf/deep/settings.yaml');
      expect(await ground.sh(server, 'cat conf/rules.yaml conf/deep/*')).not.to.match(CONTENT);
      await ground.sh(server, 'mv conf other; mv conf/deep deep; mv conf/rules.yaml conf/x');
      expect(
        await ground.sh(server, 'cat other/rules.yaml deep/* conf/*; grep -rE "CONTENT|PASSWORD" .'),
      ).not.to.match(CONTENT);
    });

    test('cannot be read by another name that the user gave them', async () => {
      mkdirSync(join(ground.workspace, 'backup'));
      ground.put('castellan.yaml', SETTINGS);
      linkSync(join(ground.workspace, 'castellan.yaml'), join(ground.workspace, 'backup/settings'));
      const server = await serve('permissions.yaml', 'castellan.yaml');
      expect(await ground.sh(server, 'cat backup/*; grep -rE "CONTENT|PASSWORD" .')).not.to.match(CONTENT);
    });

    test('do not fail what reads a whole project', async () => {
      const server = await serve('permissions.yaml', 'castellan.yaml');
      const text =
        'echo word > a.txt; grep -rl word .; echo $?; tar cf /dev/null .; echo $?; cp -r . /tmp/copy; echo $?; cat castellan.yaml';
      expect(await ground.sh(server, text)).to.match(/a\.txt\n0\n0\n0\n# Hidden from commands: .*\n$/);
    });

    test('are never committed as what commands see of them', async () => {
      const git = 'git -c user.email=a@b -c user.name=a';
      const server = await serve('permissions.yaml', 'castellan.yaml');
      for (const name of ['permissions.yaml', 'castellan.yaml']) {
        const tracked = `cd ${ground.workspace}; git init -q . 2>/dev/null; ${git} add -f ${name}; ${git} commit -qm ${name}; ln -f ${name} ${ground.state}/other-${name}`;
        execFileSync('bash', ['-c', tracked], {
          env: { ...process.env, HOME: ground.state, XDG_CONFIG_HOME: ground.state },
          uid: user,
        });
      }
      await ground.sh(server, `touch *.yaml; git add -A; git add -u; ${git} commit -qam again; echo end`);
      const log = execFileSync('bash', ['-c', `cd ${ground.workspace}; git log -p`], {
        env: { ...process.env, HOME: ground.state, XDG_CONFIG_HOME: ground.state },
        uid: user,
      });
      expect(log.toString()).to.match(CONTENT).and.not.to.contain('Hidden from commands');
    });

    test('do not stand in the way of git', async () => {
      const server = await serve('permissions.yaml', 'castellan.yaml');
      const text = `git init -q . && git config user.email a@b && git config user.name a && echo x > a.txt && git add -A && git commit -qm one && git status --short; git ls-files; echo end`;
      expect(await ground.sh(server, text)).to.match(/a\.txt\nend\n$/);
      expect(await ground.sh(server, 'git stash -u; git clean -fd; git status --short; echo end')).to.match(
        /end\n$/,
      );
    });

    test('are still kept from being made where they are not yet', async () => {
      const server = await serve('permissions.yaml', 'castellan.yaml');
      await ground.sh(
        server,
        'rm -f castellan.yaml permissions.yaml; mkdir -p config; echo x > config/castellan.yaml',
      );
      expect(await ground.sh(server, 'ls config')).not.to.contain('castellan.yaml');
    });
  });
}
