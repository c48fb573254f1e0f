import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CallerAuthenticator } from '../../src/application/ports/session/caller-authenticator.js';
import { holdPrincipalFolder } from '../../src/composition/server/principal-folder.js';
import type { Caller } from '../../src/domain/session/caller.js';
import { HttpClient } from '../support/http-client.js';
import { listeningCastellan } from '../support/http-host.js';

const SECRET = 'OUTSIDE_SECRET_7f3a';
/** The policy says so: those without a folder of their own see into the others. */
const OPENED = `also_allow:
  - { tool: read_file, path: teams }
  - { tool: write_file, path: teams }
  - { tool: execute_command, path: teams }
`;
/** The token is the name of the team; `all` has no folder of its own. */
const who = {
  authenticate: (header = '') => {
    const team = header.replace('Bearer ', '');
    const caller: Caller = {
      id: team,
      transport: 'http',
      issuer: 'tests',
      claims: { team, kind: team === 'all' ? 'shared' : 'team' },
    };
    return { kind: 'caller' as const, caller };
  },
};

describe('The workspace of a principal is a folder inside its root', () => {
  let root: string;
  let outside: string;
  let host: Awaited<ReturnType<typeof listeningCastellan>> | undefined;
  let id = 0;

  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'castellan-outside-'));
    writeFileSync(join(outside, 'secret.txt'), SECRET);
  });

  afterEach(async () => {
    await host?.castellan.close();
    host = undefined;
    for (const folder of [outside, `${outside}-root`, `${outside}-home`])
      rmSync(folder, { recursive: true, force: true });
  });

  const serve = async (template: string, more = '') => {
    root = join(outside, '..', `${basename(outside)}-root`);
    mkdirSync(root);
    const policy = join(root, 'policy.yaml');
    const folder = template.replace('ROOT', root).replace('OUTSIDE', outside);
    writeFileSync(
      policy,
      `version: 1
extends: [builtin:workspace]
principals:
  - { match: { claim: { team: all } }, roles: [default] }
  - { match: { claim: { team: outer } }, roles: [default], workspace: "${outside}/home" }
  - { match: { claim: { kind: team } }, roles: [default], workspace: "${folder}" }
${more}`,
    );
    host = await listeningCastellan({
      workspace: root,
      environment: { PATH: process.env.PATH, HOME: `${outside}-home` },
      logLevel: 'silent',
      policy,
      configure: (container) => container.bind(CallerAuthenticator).toConstantValue(who),
    });
    return host;
  };
  const open = async (team: string) => {
    const client = new HttpClient(host?.url ?? '', team);
    const { status } = await client.open();
    const call = async (tool: string, args: object) => {
      id += 1;
      return JSON.stringify(await client.call(id, tool, args));
    };
    return { status, call };
  };
  const expectNothing = async ({ call }: Awaited<ReturnType<typeof open>>) => {
    expect(await call('read_file', { path: 'secret.txt' })).not.to.contain(SECRET);
    expect(await call('execute_command', { command: 'cat secret.txt; echo x > written' })).not.to.contain(
      SECRET,
    );
    await call('write_file', { path: 'written', content: 'x' });
    expect(existsSync(join(outside, 'written'))).to.equal(false);
  };

  const plants: Readonly<Record<string, readonly [template: string, plant: () => void]>> = {
    'its own name': [
      './teams/red',
      () => {
        mkdirSync(join(root, 'teams'));
        symlinkSync(outside, join(root, 'teams/red'));
      },
    ],
    'the folder above it': ['./teams/red', () => symlinkSync(join(outside, '..'), join(root, 'teams'))],
    'the name that a claim gives': [
      './teams/${claim.team}',
      () => {
        mkdirSync(join(root, 'teams'));
        symlinkSync('../../../../../../../../..'.concat(outside), join(root, 'teams/red'));
      },
    ],
    'a part behind the one that a claim gives': [
      './teams/${claim.team}/work',
      () => {
        mkdirSync(join(root, 'teams/red'), { recursive: true });
        symlinkSync(outside, join(root, 'teams/red/work'));
      },
    ],
    'a name in the workspace, which the policy names by another path': [
      'OUTSIDE/alias/teams/red',
      () => {
        symlinkSync(root, join(outside, 'alias'));
        mkdirSync(join(root, 'teams'));
        symlinkSync(outside, join(root, 'teams/red'));
      },
    ],
    "a name in another principal's folder": [
      'OUTSIDE/home/inner',
      () => {
        mkdirSync(join(outside, 'home'));
        symlinkSync(outside, join(outside, 'home/inner'));
      },
    ],
  };
  for (const [what, [template, plant]] of Object.entries(plants)) {
    it(`a link is refused at ${what}`, async () => {
      await serve(template);
      plant();
      const red = await open('red');
      expect(red.status).to.equal(403);
      await expectNothing(red);
    });
  }

  it("a command of the shared workspace cannot give a folder to a principal, nor another's", async () => {
    await serve('./teams/${claim.team}', OPENED);
    const all = await open('all');
    const made = await all.call('execute_command', {
      command: `mkdir -p teams/blue; ln -s ${outside} teams/red; ln -s blue teams/green`,
    });
    expect(made, made).not.to.contain('isError');
    expect((await open('red')).status).to.equal(403);
    expect((await open('green')).status).to.equal(403);
    expect((await open('blue')).status).to.equal(200);
  });

  const seenBy = async ({ call }: Awaited<ReturnType<typeof open>>, path: string) =>
    Promise.all([
      call('read_file', { path }),
      call('list_directory', { path: '.', recursive: true }),
      call('search_content', { query: 'THE_REDS' }),
      call('execute_command', { command: `cat ${path}; ls -R; grep -r THE_REDS .` }),
      call('copy_path', { source: path, destination: 'taken.txt' }),
      call('read_file', { path: 'taken.txt' }),
    ]);

  it('a caller without one sees into no other, and puts nothing there', async () => {
    await serve('./teams/${claim.team}');
    const red = await open('red');
    await red.call('write_file', { path: 'mine.txt', content: 'THE_REDS' });
    const all = await open('all');
    await all.call('write_file', { path: 'shared.txt', content: 'SHARED' });
    expect(await all.call('execute_command', { command: 'cat shared.txt' })).to.include('SHARED');
    for (const answer of await seenBy(all, 'teams/red/mine.txt')) expect(answer).to.not.include('THE_REDS');
    for (const path of ['teams/red/put', 'teams/blue/put'])
      expect(await all.call('write_file', { path, content: '', create_dirs: true })).to.include('isError');
    await all.call('execute_command', { command: 'mkdir -p teams/blue teams/red; touch teams/red/put' });
    expect(existsSync(join(root, 'teams/red/put')) || existsSync(join(root, 'teams/blue'))).to.equal(false);
    expect(await red.call('read_file', { path: 'mine.txt' })).to.include('THE_REDS');
    expect(await red.call('execute_command', { command: 'mkdir teams && cat mine.txt' })).to.include(
      'THE_REDS',
    );
  });

  it('a caller without one sees into others where the policy names the folder', async () => {
    await serve('./teams/${claim.team}', OPENED);
    await (await open('red')).call('write_file', { path: 'mine.txt', content: 'THE_REDS' });
    const [read, , , ran] = await seenBy(await open('all'), 'teams/red/mine.txt');
    expect(read).to.include('THE_REDS');
    expect(ran).to.include('THE_REDS');
  });

  it('folders of principals in the workspace itself are closed to a caller without one', async () => {
    await serve('./${claim.team}');
    await (await open('red')).call('write_file', { path: 'mine.txt', content: 'THE_REDS' });
    const all = await open('all');
    for (const answer of await seenBy(all, 'red/mine.txt')) expect(answer).to.not.include('THE_REDS');
  });

  it('a folder in the workspace is not given by another name, under which nothing would hide it', async () => {
    await serve('OUTSIDE/alias/teams/${claim.team}');
    symlinkSync(root, join(outside, 'alias'));
    expect((await open('red')).status).to.equal(403);
  });

  it('a folder that is exchanged for a link while it is served leads nowhere', async () => {
    await serve('./teams/${claim.team}');
    const red = await open('red');
    expect(await red.call('write_file', { path: 'mine', content: 'the reds' })).not.to.contain('isError');
    expect(await red.call('execute_command', { command: 'cat mine' })).to.contain('the reds');
    renameSync(join(root, 'teams/red'), join(root, 'teams/away'));
    symlinkSync(outside, join(root, 'teams/red'));
    await expectNothing(red);
    expect((await open('red')).status).to.equal(403);
  });

  it('links of the machine are followed: the folder of all teams may be one', async () => {
    await serve('OUTSIDE/teams/${claim.team}');
    mkdirSync(join(outside, 'disk'));
    symlinkSync('disk', join(outside, 'teams'));
    const red = await open('red');
    expect(red.status).to.equal(200);
    expect(await red.call('write_file', { path: 'mine', content: 'x' })).not.to.contain('isError');
    expect(existsSync(join(outside, 'disk/red/mine'))).to.equal(true);
  });

  it('the folder that was opened is held, whatever becomes of its name', () => {
    const held = holdPrincipalFolder(join(outside, 'base/red'), [join(outside, 'base')]);
    if (!held.success) throw new Error(held.error);
    renameSync(join(outside, 'base/red'), join(outside, 'moved'));
    symlinkSync(outside, join(outside, 'base/red'));
    writeFileSync(held.value.entry('file'), 'x');
    expect(existsSync(join(outside, 'moved/file'))).to.equal(true);
    held.value.release();
  });
});
