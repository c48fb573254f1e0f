import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CallerAuthenticator } from '../../../src/application/ports/session/caller-authenticator.js';
import type { Caller } from '../../../src/domain/session/caller.js';
import { HttpClient } from '../../support/http-client.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';

const OWN = isolatedOptions();
const ROOT = OWN.workspace;
const POLICY = join(ROOT, 'policy.yaml');
const FOLDER = './teams/${claim.team}';
writeFileSync(
  POLICY,
  `version: 1
extends: [builtin:workspace]
principals:
  - { match: { issuer: tests }, roles: [default], workspace: "${FOLDER}" }
tools: { set_project_flag: {} }
`,
);

/** The token says who it is: that it is checked is another test's concern. */
const who = {
  authenticate: (header: string | undefined) => ({ kind: 'caller' as const, caller: callerOf(header) }),
};

function callerOf(header = ''): Caller {
  const [team, id = 'x'] = header.replace('Bearer ', '').split(':');
  return { id, transport: 'http', issuer: 'tests', claims: { team } };
}

describe('Principals with workspaces of their own', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  const clients = new Map<string, HttpClient>();
  const client = async (token: string) => {
    const known = clients.get(token) ?? new HttpClient(host.url, token);
    if (known.session === undefined) await known.open();
    clients.set(token, known);
    return known;
  };
  let id = 0;
  const call = async (token: string, tool: string, args: object, meta?: object): Promise<string> => {
    id += 1;
    return JSON.stringify(await (await client(token)).call(id, tool, args, meta));
  };

  before(async () => {
    mkdirSync(join(ROOT, 'teams/red'), { recursive: true });
    mkdirSync(join(ROOT, 'teams/blue'), { recursive: true });
    writeFileSync(join(ROOT, 'teams/red/secret.txt'), 'the red treasure');
    writeFileSync(join(ROOT, 'teams/blue/own.txt'), 'a blue note');
    host = await listeningCastellan({
      ...OWN,
      policy: POLICY,
      configure: (container) => container.bind(CallerAuthenticator).toConstantValue(who),
    });
  });
  after(() => host.castellan.close());

  it('work in their own folders, as if there was no other', async () => {
    expect(await call('red:a', 'read_file', { path: 'secret.txt' })).to.contain('the red treasure');
    expect(await call('blue:b', 'read_file', { path: 'own.txt' })).to.contain('a blue note');
    expect(await call('red:a', 'write_file', { path: 'new.txt', content: 'x' })).not.to.contain('isError');
    expect(readFileSync(join(ROOT, 'teams/red/new.txt'), 'utf8')).to.equal('x');
    expect(await call('green:c', 'list_directory', {})).not.to.match(/secret|own\.txt|blue/);
    expect(existsSync(join(ROOT, 'teams/green'))).to.equal(true);
  });

  it('two callers of one team share its folder and nothing of their sessions', async () => {
    expect(await call('red:d', 'read_file', { path: 'secret.txt' })).to.contain('the red treasure');
    const thief = new HttpClient(host.url, 'red:d');
    thief.session = (await client('red:a')).session;
    expect((await thief.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).to.equal(404);
  });

  it('a caller without a name for its folder has none', async () => {
    for (const team of ['..', '', 'a%2fb', '../red', '.git']) {
      const answer = await new HttpClient(host.url, `${team}:x`).open();
      expect(answer.status, team).to.equal(403);
    }
  });

  it('flags, workflows and statistics of one are not those of the other', async () => {
    await call('red:a', 'set_project_flag', { flag: 'red_flag', value: 'red value' });
    expect(await call('red:a', 'get_project_flag', { flag: 'red_flag' })).to.contain('red value');
    expect(await call('blue:b', 'get_project_flag', { flag: 'red_flag' })).not.to.contain('red value');
    expect(await call('blue:b', 'list_project_flags', {})).not.to.contain('red_flag');
    const red = await client('red:a');
    const got = await red.post({
      jsonrpc: '2.0',
      id: 'p',
      method: 'prompts/get',
      params: { name: 'create-adr', arguments: { topic: 'red plans' } },
    });
    const workflow = /wf_[0-9a-f-]{36}/.exec(got.text)?.[0] ?? '';
    expect(workflow).not.to.equal('');
    const meta = { 'castellan/workflow': workflow };
    expect(await call('blue:b', 'echo', { message: 'x' }, meta)).not.to.contain('red plans');
    const stats = await call('blue:b', 'get_tool_stats', {});
    expect(stats).not.to.contain('set_project_flag');
  });

  /** Ways to the file of another, each by every tool that takes a path. */
  const ways = [
    '../red/secret.txt',
    './../red/secret.txt',
    'x/../../red/secret.txt',
    join(ROOT, 'teams/red/secret.txt'),
    `${ROOT}/teams/blue/../red/secret.txt`,
    `${ROOT}//teams//red//secret.txt`,
    '/proc/self/cwd/teams/red/secret.txt',
    `file://${ROOT}/teams/red/secret.txt`,
  ];
  const tries: readonly (readonly [string, (path: string) => object])[] = [
    ['read_file', (path) => ({ path })],
    ['file_info', (path) => ({ path })],
    ['search_content', (path) => ({ path, query: 'treasure' })],
    ['copy_path', (path) => ({ source: path, destination: 'stolen.txt' })],
    ['write_file', (path) => ({ path, content: 'blue was here' })],
  ];
  for (const [tool, args] of tries) {
    for (const [index, way] of ways.entries()) {
      it(`see nothing of each other: ${tool}, way ${index + 1}`, async () => {
        const answer = await call('blue:b', tool, args(way));
        expect(answer).not.to.contain('treasure"').and.not.to.contain('the red');
        expect(existsSync(join(ROOT, 'teams/blue/stolen.txt'))).to.equal(false);
        expect(readFileSync(join(ROOT, 'teams/red/secret.txt'), 'utf8')).to.equal('the red treasure');
      });
    }
  }
});
