import { chmodSync, existsSync, linkSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe } from 'mocha';
import { TreeAttackGround, testsAs, told, USERS } from '../support/tree-attack-ground.js';

const SECRET = 'TOP-SECRET-CONTENT';
const WORKSPACE = 'version: 1\nextends: [builtin:workspace]\n';
const PLACED = `${WORKSPACE}tools: { read_file: { denied_paths: ["config/private/**", "config2/private/**"] }, write_file: { denied_paths: ["config/private/**"] } }\n`;
const LONG = process.env.CASTELLAN_LONG === '1';

for (const user of USERS) {
  describe(`Secrets in a tree that changes, as ${user === undefined ? 'the user of the tests' : `user ${user}`}`, function () {
    this.timeout(120_000);
    const test = testsAs(user);
    let ground: TreeAttackGround;

    beforeEach(() => {
      ground = new TreeAttackGround(user);
    });
    afterEach(() => ground.remove());

    test('stay hidden when a command renames the folder they are in', async () => {
      ground.put('app/.env', SECRET);
      ground.put('app/.ssh/id_rsa', SECRET);
      const client = await ground.start(WORKSPACE);
      expect(await ground.sh(client, 'cat app/.env app/.ssh/id_rsa')).not.to.contain(SECRET);
      expect(await ground.sh(client, 'mv app app2 && ls')).to.contain('app2');
      expect(await ground.sh(client, 'cat app2/.env app2/.ssh/id_rsa; cp app2/.env plain')).not.to.contain(
        SECRET,
      );
      expect(told(await client.call('read_file', { path: 'plain' }))).not.to.contain(SECRET);
      await ground.sh(client, 'mkdir -p .git/refs node_modules/x && mv app2 .git/refs/app3');
      expect(await ground.sh(client, 'cat .git/refs/app3/.env .git/refs/app3/.ssh/id_rsa')).not.to.contain(
        SECRET,
      );
      await ground.sh(client, 'mv .git/refs/app3 node_modules/x/app4');
      expect(await ground.sh(client, 'cat node_modules/x/app4/.env')).not.to.contain(SECRET);
    });

    test('do not stand in the way of renaming the folder they are in, however fast that is over', async () => {
      ground.put('app/.env', SECRET);
      ground.put('app/.ssh/id_rsa', SECRET);
      const client = await ground.start(WORKSPACE);
      for (let round = 0; round < 5; round += 1) {
        for (const line of ['mv app app2', 'mv app2 app']) {
          const reply = await client.run(line);
          expect(reply.success, told(reply)).to.equal(true);
        }
      }
    });

    test('stay denied by their place when the folders above are renamed, by commands, tools or others', async () => {
      ground.put('config/private/x.txt', SECRET);
      ground.put('config2/private/x.txt', SECRET);
      let client = await ground.start(PLACED);
      expect(await ground.sh(client, 'mv config cfg; ls')).to.match(/busy/);
      expect(existsSync(join(ground.workspace, 'cfg'))).to.equal(false);
      const moved = await client.call('move_path', { source: 'config2', destination: 'cfg2' });
      expect(moved.success).to.equal(false);
      // Somebody else on the machine does it.
      renameSync(join(ground.workspace, 'config'), join(ground.workspace, 'cfg'));
      const everything = async () => [
        await ground.sh(client, 'cat cfg/private/x.txt'),
        told(await client.call('read_file', { path: 'cfg/private/x.txt' })),
        JSON.stringify(await client.call('search_content', { query: 'SECRET', path: '.' })),
        JSON.stringify(await client.call('copy_path', { source: 'cfg', destination: 'copied' })),
        await ground.sh(client, 'grep -r SECRET copied'),
      ];
      expect((await everything()).join('\n')).not.to.contain(SECRET);
      await client.stop();
      client = await ground.start(PLACED);
      expect((await everything()).join('\n')).not.to.contain(SECRET);
      const again = await client.call('move_path', { source: 'cfg', destination: 'cfg3' });
      expect(again.success).to.equal(false);
    });

    test('are hidden under every name that a hard link gives them', async () => {
      const secret = ground.put('.env', SECRET);
      linkSync(secret, join(ground.workspace, 'copy.txt'));
      const client = await ground.start(WORKSPACE);
      expect(await ground.sh(client, 'cat copy.txt')).not.to.contain(SECRET);
      linkSync(secret, join(ground.workspace, 'later.txt'));
      expect(await ground.sh(client, 'cat later.txt; cat *.txt')).not.to.contain(SECRET);
    });

    test('are found however deep they are moved and however many files there are', async () => {
      ground.put('zz/app/.env', SECRET);
      const client = await ground.start(`${WORKSPACE}tools: { execute_command: { timeout: 100 } }\n`);
      const deep = 'd/'.repeat(70);
      await ground.sh(client, `mkdir -p ${deep} && cp -r /etc/hostname ${deep} && mv zz ${deep}`);
      expect(await ground.sh(client, 'find . -name .env -exec cat {} +')).not.to.contain(SECRET);
      const count = LONG ? 200_100 : 5_000;
      expect(
        await ground.sh(client, `mkdir a && cd a && seq ${count} | xargs touch && echo made`),
      ).to.contain('made');
      expect(await ground.sh(client, 'find . -name .env -exec cat {} +')).not.to.contain(SECRET);
    });

    test('make commands be refused where a path is too long to hide them, with the folder named', async () => {
      ground.put('app/.env', SECRET);
      const client = await ground.start(WORKSPACE);
      const name = 'n'.repeat(250);
      await ground.sh(
        client,
        `for i in $(seq 20); do mkdir ${name} && cd ${name}; done; mv ${ground.workspace}/app . 2>/dev/null || cp -r ${ground.workspace}/app .`,
      );
      const answer = await client.run({ command: 'true' });
      expect(told(answer)).to.match(/longer than the 4,096 bytes/);
      expect(told(answer)).to.contain('nnn');
    });

    test('stay hidden in a folder that was closed to the server', async () => {
      ground.put('app/.env', SECRET);
      const client = await ground.start(WORKSPACE);
      await ground.sh(client, 'true');
      chmodSync(join(ground.workspace, 'app'), 0);
      await client.stop();
      const later = await ground.start(WORKSPACE);
      expect(await ground.sh(later, 'chmod 755 app; cat app/.env')).not.to.contain(SECRET);
    });

    test('stay hidden below a name that is not valid UTF-8', async () => {
      ground.put('app/.env', SECRET);
      const client = await ground.start(WORKSPACE);
      await ground.sh(client, "mkdir $'\\xff' && mv app $'\\xff/app'");
      const answer = await ground.sh(client, 'cat */app/.env');
      expect(answer).not.to.contain(SECRET);
      expect(answer).to.contain('not valid UTF-8');
    });

    test('do not make folders outside through a link in the write list', async () => {
      symlinkSync(ground.outside, join(ground.workspace, 'output'));
      const client = await ground.start(
        'extends: [builtin:workspace]\nsandboxes: { s: { filesystem: { read: ["."], write: ["./output/sub", "./made/by/us"] } } }\ntools: { execute_command: { sandbox: s } }\n',
      );
      await client.run('true');
      expect(readdirSync(ground.outside)).to.deep.equal([]);
      expect(existsSync(join(ground.workspace, 'made/by/us'))).to.equal(true);
    });
  });
}
