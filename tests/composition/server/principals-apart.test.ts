import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { eventually } from '../../support/eventually.js';
import { HttpClient } from '../../support/http-client.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { ModernClient } from '../../support/modern-client.js';
import { ENVELOPES } from '../../support/other-answers.js';

const OWN = isolatedOptions(ENVELOPES);
const ROOT = OWN.workspace;
const [POLICY, CONFIG] = [join(ROOT, 'policy.yaml'), join(ROOT, 'settings.yaml')];
const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };
const principal = (team: keyof typeof KEYS) =>
  `  - { match: { api_key: "${hashOf(KEYS[team])}" }, roles: [default], workspace: ./teams/${team} }\n`;
writeFileSync(
  POLICY,
  `version: 1
extends: [builtin:workspace]
principals:
${principal('red')}${principal('blue')}tools:
  set_project_flag: {}
  progressing: { consent: always }
`,
);
writeFileSync(CONFIG, 'categories: { guidelines: { dir: guide, patterns: ["*.md"] } }\n');

const RED = join(ROOT, 'teams/red');
const NOTE = 'a ruby note';
const PLAN = 'guide/plan.md';
const URI = 'architecture://guidelines/plan';
/** Words of what the red team has. No try has one of them, so that an answer which has one did not echo it. */
const MARKS = /ruby|crimson|scarlet|maroon|vermilion|cherry|carmine|set_project_flag/i;
const ELICITS = { elicitation: {} };

class Team {
  #id = 100;
  readonly modern: ModernClient;
  heard = '';

  constructor(readonly http: HttpClient) {
    this.modern = new ModernClient(new HttpClient(http.url, http.token));
  }

  async ask(method: string, params: object): Promise<string> {
    this.#id += 1;
    return (await this.http.post({ jsonrpc: '2.0', id: this.#id, method, params })).text;
  }

  call(name: string, args: object = {}, meta?: object): Promise<string> {
    return this.ask('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  run(command: string): Promise<string> {
    return this.call('execute_command', { command });
  }

  async status(method: string, headers: Record<string, string>): Promise<string> {
    const body = method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined;
    const { status, text } = await this.http.send(method, body, headers);
    return `${status} ${text}`;
  }
}

describe('Two principals with workspaces of their own', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let red: Team;
  let blue: Team;
  /** What blue may have learnt: ids of the red team's things, which must not open them. */
  const known = { process: '', workflow: '', session: '', state: '' };

  before(async () => {
    for (const folder of ['red/guide', 'blue/guide'])
      mkdirSync(join(ROOT, 'teams', folder), { recursive: true });
    writeFileSync(join(RED, 'note.txt'), NOTE);
    writeFileSync(join(RED, 'crimson.txt'), 'x');
    writeFileSync(join(RED, 'vermilion.log'), 'vermilion line\n');
    writeFileSync(join(RED, PLAN), '# Orchard plan\n\nPlant cherry trees in the orchard.\n');
    const environment = { ...OWN.environment, PATH: process.env.PATH };
    host = await listeningCastellan({ ...OWN, environment, policy: POLICY, config: CONFIG });
    [red, blue] = [new Team(host.client(KEYS.red)), new Team(host.client(KEYS.blue))];
    for (const team of [red, blue]) {
      expect((await team.http.open('2025-11-25', ELICITS)).status).to.equal(200);
      await team.http.listen((part) => {
        team.heard += part;
      });
    }
    await red.call('set_project_flag', { flag: 'plan', value: 'scarlet' });
    const begun = await red.call('execute_command', { command: 'tail -f vermilion.log', background: true });
    known.process = /process_id\W+([\w-]+)/.exec(begun)?.[1] ?? '';
    const prompt = { name: 'create-adr', arguments: { topic: 'carmine' } };
    known.workflow = /wf_[0-9a-f-]{36}/.exec(await red.ask('prompts/get', prompt))?.[0] ?? '';
    known.session = red.http.session ?? '';
    const asked = await red.modern.call('progressing', {}, { capabilities: ELICITS });
    known.state = String(asked.result?.requestState ?? '');
    for (const [what, id] of Object.entries(known)) expect(id, what).not.to.equal('');
  });
  after(async () => {
    host.gate.open();
    await host.castellan.close();
  });

  /** The same for both: the red team sees its own, the blue team nothing of it. */
  const alike: Readonly<Record<string, (team: Team) => Promise<string>>> = {
    'read_file of a name': (team) => team.call('read_file', { path: 'note.txt' }),
    'read_files of several': (team) => team.call('read_files', { paths: ['note.txt', PLAN] }),
    'list_directory of all': (team) => team.call('list_directory', { recursive: true }),
    'search_files by a pattern': (team) => team.call('search_files', { pattern: '*mson*' }),
    'search_content by an expression': (team) => team.call('search_content', { query: 'r.by' }),
    'a command that reads': (team) => team.run('cat note.txt'),
    'a command that lists': (team) => team.run('ls'),
    'a command that searches': (team) => team.run('grep -r r.by .'),
    list_processes: (team) => team.call('list_processes'),
    'process_output by the id': (team) => team.call('process_output', { process_id: known.process }),
    get_project_flag: (team) => team.call('get_project_flag', { flag: 'plan' }),
    list_project_flags: (team) => team.call('list_project_flags'),
    get_project_config: (team) => team.call('get_project_config'),
    get_tool_stats: (team) => team.call('get_tool_stats'),
    'the statistics as a resource': (team) => team.ask('resources/read', { uri: 'castellan://stats' }),
    'get_content of a category': (team) => team.call('get_content', { expression: 'guidelines' }),
    search_architecture: (team) => team.call('search_architecture', { query: 'trees of the orchard' }),
    'a document as a resource': (team) => team.ask('resources/read', { uri: URI }),
  };
  for (const [what, attempt] of Object.entries(alike)) {
    it(`see nothing of each other: ${what}`, async () => {
      expect(await attempt(red), 'its own').to.match(MARKS);
      expect(await attempt(blue)).not.to.match(MARKS);
    });
  }

  /** What blue tries with what it knows of red, and what the answer must have where there is one to expect. */
  const across: Readonly<Record<string, readonly [() => Promise<string>, RegExp]>> = {
    'a file by the way up': [() => blue.call('read_file', { path: '../red/note.txt' }), /"isError":true/],
    'a file by its whole path': [
      () => blue.call('read_file', { path: join(RED, 'note.txt') }),
      /"isError":true/,
    ],
    'a search above': [() => blue.call('search_content', { path: '..', query: 'r.by' }), /"isError":true/],
    'a listing above': [() => blue.call('list_directory', { path: '..' }), /"isError":true/],
    'a command by the way up': [() => blue.run('cat ../red/note.txt'), /"isError":true|No such file/],
    'a command by the whole path': [() => blue.run(`cat ${join(RED, 'note.txt')}`), /"isError":true|No such/],
    'a link made by a command': [
      async () => {
        await blue.run('ln -s ../red/note.txt link');
        return blue.call('read_file', { path: 'link' });
      },
      /"isError":true/,
    ],
    'a write by the way up': [
      () => blue.call('write_file', { path: '../red/note.txt', content: 'x' }),
      /"isError":true/,
    ],
    'a move into the own folder': [
      () => blue.call('move_path', { source: '../red/note.txt', destination: 'note.txt' }),
      /"isError":true/,
    ],
    'the journal of calls': [
      () => blue.call('search_content', { path: OWN.environment.HOME, query: 'r.d' }),
      /"isError":true/,
    ],
    'the processes of the machine': [
      () => blue.run('cat /proc/1/cmdline /proc/2/cmdline /proc/3/cmdline'),
      /./,
    ],
    'input for a process': [
      () => blue.call('process_input', { process_id: known.process, text: 'x' }),
      /"isError":true/,
    ],
    'the end of a process': [
      () => blue.call('stop_process', { process_id: known.process }),
      /"isError":true/,
    ],
    'the workflow by its id': [
      () => blue.call('echo', { message: 'x' }, { 'castellan/workflow': known.workflow }),
      /./,
    ],
    'a flag of all workspaces, which a team cannot set': [
      () => red.call('set_feature_flag', { flag: 'mode', value: 'on' }),
      /"isError":true|Unknown tool/,
    ],
    'flags of all workspaces': [() => blue.call('list_feature_flags'), /"success":true/],
    'a call in the session': [() => blue.status('POST', { 'mcp-session-id': known.session }), /^404/],
    'the stream of the session': [() => blue.status('GET', { 'mcp-session-id': known.session }), /^404/],
    'the end of the session': [() => blue.status('DELETE', { 'mcp-session-id': known.session }), /^404/],
    'events of the session': [
      () => blue.status('GET', { 'mcp-session-id': known.session, 'last-event-id': '1_0' }),
      /^404/,
    ],
    'events in the own session': [() => blue.status('GET', { 'last-event-id': '101_0' }), /^400/],
    'consent that was asked of red': [
      async () => {
        const params = {
          requestState: known.state,
          inputResponses: { 'question-1': { action: 'accept', content: {} } },
        };
        return JSON.stringify(await blue.modern.call('progressing', {}, { capabilities: ELICITS, params }));
      },
      /"error"/,
    ],
  };
  for (const [what, [attempt, expected]] of Object.entries(across)) {
    it(`reach nothing of each other: ${what}`, async () => {
      const answer = await attempt();
      expect(answer).to.match(expected);
      expect(answer).not.to.match(MARKS);
    });
  }

  it('reach no call of each other: a cancellation of the same id', async () => {
    const running = red.http.post({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'waiting' },
    });
    await eventually('it runs', () => host.gate.entered === 1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await blue.http.post(cancelled)).status).to.equal(202);
    expect(host.gate.aborted).to.equal(false);
    host.gate.open();
    expect((await running).text).to.contain('waited');
  });

  it('reach no question of each other: an answer to it', async () => {
    let text = '';
    const call = { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'asking' } };
    const stream = await red.http.listen((part) => (text += part), {}, call);
    await eventually('the question comes', () => text.includes('elicitation/create'));
    const question = /"id":("[^"]+"|\d+)[^\n]*elicitation|elicitation[^\n]*"id":("[^"]+"|\d+)/.exec(text);
    const id = JSON.parse(question?.[1] ?? question?.[2] ?? '0');
    const answer = (action: string) => ({ jsonrpc: '2.0', id, result: { action, content: { yes: true } } });
    await blue.http.post(answer('decline'));
    await red.http.post(answer('accept'));
    await stream.over;
    expect(text).to.contain('"accept"').and.not.to.contain('"decline"');
  });

  it('hear nothing of each other: a subscription to the same address', async () => {
    for (const team of [red, blue]) await team.ask('resources/subscribe', { uri: URI });
    writeFileSync(join(RED, PLAN), '# Orchard plan\n\nPlant more cherry trees.\n');
    await eventually('red hears of it', () => red.heard.includes('notifications/resources/updated'), 30_000);
    await blue.call('echo', { message: 'x' });
    expect(blue.heard).not.to.contain('notifications/resources/updated');
  });

  it('leave each other all that they have', async () => {
    expect(readFileSync(join(RED, 'note.txt'), 'utf8')).to.equal(NOTE);
    expect(existsSync(join(ROOT, 'teams/blue/note.txt'))).to.equal(false);
    expect(await red.call('process_output', { process_id: known.process })).to.contain('running');
    expect(await red.call('get_project_flag', { flag: 'plan' })).to.contain('scarlet');
    expect(await red.status('POST', {})).to.match(/^200/);
    const inputResponses = { 'question-1': { action: 'accept', content: {} } };
    const params = { requestState: known.state, inputResponses };
    const done = await red.modern.call('progressing', {}, { capabilities: ELICITS, params });
    expect(JSON.stringify(done)).to.contain('"done"');
  });
});
