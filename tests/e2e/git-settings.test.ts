import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;

describe('Settings of a repository', function () {
  this.timeout(120_000);
  const closing: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function serve(prepare: (made: GitGround) => void = () => undefined): Promise<{
    readonly made: GitGround;
    readonly client: CommandClient;
  }> {
    const made = new GitGround();
    closing.push(() => made.remove());
    prepare(made);
    const client = await CommandClient.start(made, made.policy(POLICY), { HOME: made.home });
    closing.push(() => client.stop());
    return { made, client };
  }

  function config(made: GitGround): string {
    return readFileSync(join(made.workspace, '.git/config'), 'utf8');
  }

  it('are for commands to change where they run nothing, as plain git does', async () => {
    const { made, client } = await serve();
    const beside = new GitGround();
    closing.push(() => beside.remove());
    beside.sh(['rm', '-rf', beside.workspace]);
    beside.sh(['cp', '-a', made.workspace, beside.workspace], made.root);
    for (const line of [
      'git config user.name agent',
      'git config pull.rebase true && git config --get pull.rebase',
      'git remote add origin https://example.com/a.git',
      'git remote add other https://example.com/elsewhere.git',
      'git remote set-url other https://example.com/b.git',
      'git remote rename other third',
      'git update-ref refs/remotes/origin/far HEAD',
      'git checkout -q -b near origin/far',
      'git switch -q -c again --track origin/far',
      'git branch -D near',
      'git branch -m again renamed',
      'git config --unset pull.rebase',
      'git remote remove third',
      'git sparse-checkout set docs',
      'git sparse-checkout disable',
    ]) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, `${line}: ${JSON.stringify(reply)}`).to.equal(0);
      beside.sh(['bash', '-c', line]);
      // git writes keys that it is given by a file in small letters; they mean the same.
      expect(config(made).toLowerCase(), line).to.equal(config(beside).toLowerCase());
    }
  });

  it('are as they were where a command set what may run a program, and the answer names the key', async () => {
    const { made, client } = await serve((ground) => {
      ground.git('config', 'core.editor', 'vim');
      ground.git('remote', 'add', 'origin', 'https://example.com/a.git');
    });
    const before = config(made);
    for (const [line, key] of [
      ['git config core.editor ./evil', 'core.editor'],
      // Told once for each key.
      ['git config --unset core.editor', undefined],
      ['git config alias.status "!./evil"', 'alias.status'],
      ['git config user.name x && git config core.fsmonitor ./evil', 'core.fsmonitor'],
      ['git config include.path ../evil', 'include.path'],
      ['git config core.hooksPath evil', 'core.hookspath'],
      ['git config core.worktree ..', 'core.worktree'],
      ["git remote add evil 'ext::sh -c ./evil'", 'remote.evil.url'],
      ['git remote set-url origin ../elsewhere.git', 'remote.origin.url'],
      ['git remote set-url --push origin file:///srv/elsewhere.git', 'remote.origin.pushurl'],
      ['git config url.https://evil/.insteadOf https://example.com/', 'url.https://evil/.insteadof'],
    ] as const) {
      const reply = await client.run(line);
      const told = `${line}: ${JSON.stringify(reply)}`;
      expect(reply.value?.exit_code, told).to.equal(0);
      if (key !== undefined) expect(reply.message, told).to.contain(key);
      expect(config(made).replace('\tname = x\n', '').replace('[user]\n', ''), told).to.equal(before);
    }
  });

  it('are for commands to change in any line, and beside other commands', async () => {
    const { made, client } = await serve((ground) => {
      ground.git('update-ref', 'refs/remotes/origin/topic', 'HEAD');
      ground.git('remote', 'add', 'origin', 'https://example.com/a.git');
      ground.write('ws/.git/hooks/post-checkout', '#!/bin/sh\ngit config user.name hook\n');
      ground.sh(['chmod', '+x', '.git/hooks/post-checkout']);
    });
    for (const [line, name] of [
      ['git checkout -q -b one origin/topic', 'hook'],
      ['env git config user.name x', 'x'],
      ['git config user.name y && touch y', 'y'],
      ["bash <<'EOF'\ngit config user.name z\nEOF", 'z'],
    ] as const) {
      const reply = await client.run(line);
      expect(reply.value?.exit_code, JSON.stringify(reply)).to.equal(0);
      expect(made.git('config', '--local', 'user.name'), line).to.equal(`${name}\n`);
    }
    const slow = client.run({
      command: 'bash',
      stdin: 'touch begun; until [ -e go ]; do sleep 0.05; done; echo "[alias] x = !y" >> .git/config',
    });
    await eventually('the slow command runs', () => existsSync(join(made.workspace, 'begun')));
    expect((await client.run('git config user.name beside')).value?.exit_code).to.equal(0);
    expect(made.git('config', '--local', 'user.name')).to.equal('beside\n');
    writeFileSync(join(made.workspace, 'go'), '');
    const reply = await slow;
    expect(reply.message).to.contain('alias.x');
    expect(config(made)).not.to.contain('alias');
  });

  it('of a remote that was there are told when they change', async () => {
    const { client } = await serve((ground) => {
      ground.git('remote', 'add', 'origin', 'https://example.com/a.git');
    });
    const reply = await client.run('git remote set-url origin https://example.com/b.git');
    expect(reply.value?.exit_code).to.equal(0);
    expect(reply.message).to.match(/remote\.origin\.url was https:\S+a\.git and is https:\S+b\.git/);
  });

  it('of submodules are set by git submodule', async () => {
    const { made, client } = await serve((ground) => {
      const script =
        'git init -q lib.src; cd lib.src; echo x > l; git add l; git commit -qm l; cd ..; git -c protocol.file.allow=always submodule --quiet add ./lib.src lib; git commit -qm lib; git submodule --quiet deinit -f lib';
      ground.sh(['bash', '-c', script]);
    });
    for (const line of ['git submodule init', 'git submodule sync', 'git submodule update --no-fetch'])
      expect((await client.run(line)).value?.exit_code, line).to.equal(0);
    expect(readFileSync(join(made.workspace, 'lib/l'), 'utf8')).to.equal('x\n');
    // What a command then writes there runs nothing either.
    const module = join(made.workspace, '.git/modules/lib/config');
    const before = readFileSync(module, 'utf8');
    const reply = await client.run('git -C lib config core.sshCommand ./evil');
    expect(reply.message).to.contain('core.sshcommand');
    expect(readFileSync(module, 'utf8')).to.equal(before);
  });
});
