import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { ENVELOPES } from '../support/other-answers.js';
import { PROJECT, type SpawnedServer } from '../support/spawned-server.js';

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
}

const FOLDER = join(PROJECT, 'config/prompts');
const SECTIONS = ['Description', 'Conceptual Schema', 'Usage', 'Examples'];
const CODE = /^```text\n([\s\S]+)\n```$/;

/** What stands under a heading. */
function section(text: string, title: string): string {
  const [, after = ''] = text.split(`\n## ${title}\n`);
  return (after.split('\n\n## ')[0] ?? '').trim();
}

describe('What the built server says about its prompts', () => {
  let project: CliWorkspace;
  let server: SpawnedServer;
  let prompts: readonly Listed[];

  before(async () => {
    project = new CliWorkspace();
    project.write('docs/patterns/retry.md', '# Retry\n\nRetry calls to a flaky service three times.\n');
    const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
    const [, template = ''] = /## Template\n\n```json\n(.*?)\n```/s.exec(readme) ?? [];
    project.write('prompts/explain-module.json', template);
    const settings = 'categories: { patterns: { dir: docs/patterns } }\nprompts: { dir: prompts }\n';
    const config = project.write('castellan.yaml', settings);
    server = project.serve(['--config', config], {
      CASTELLAN_LOG_LEVEL: 'trace',
      ...ENVELOPES,
    });
    await server.initialize();
    const { result } = await server.request('list', 'prompts/list');
    prompts = JSON.parse(JSON.stringify(result?.prompts ?? []));
  });
  after(() => project.remove());

  const shipped = () =>
    prompts.filter(({ name }) => readdirSync(FOLDER).includes(`${name}.json`) || name === 'explain-module');

  it('S0-61: every prompt has the four labelled sections in order, whatever its arguments', () => {
    expect(shipped()).to.have.length(5);
    for (const { name, description } of shipped()) {
      const titles = [...description.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      expect(titles, name).to.deep.equal(SECTIONS);
      expect(description.split('\n')[0]?.length, name).to.be.within(10, 50);
      expect(section(description, 'Description').split('\n')[0], name).to.equal(description.split('\n')[0]);
    }
  });

  it('S0-61: schema, usage and examples name every argument, with @ and concrete values as code', () => {
    for (const { name, description, arguments: declared } of shipped()) {
      const schema = section(description, 'Conceptual Schema').split('\n');
      expect(schema[0], name).to.equal(`${name}(${declared.map((argument) => argument.name).join(', ')})`);
      const [, usage = ''] = CODE.exec(section(description, 'Usage')) ?? [];
      expect(usage, name).to.match(new RegExp(`^@${name}( [<[][a-z_]+[>\\]])+$`));
      for (const argument of declared) {
        expect(usage, name).to.match(new RegExp(`[<[]${argument.name}[>\\]]`));
        expect(schema.join('\n'))
          .to.include(`- ${argument.name} (string, `)
          .and.include(argument.description);
      }
      const [, examples = ''] = CODE.exec(section(description, 'Examples')) ?? [];
      for (const example of examples.split('\n')) {
        expect(example, name).to.match(new RegExp(`^@${name} \\S.{5}`));
        expect(example, name).not.to.match(/\.\.\.|…|<\w+>|\byour?\b|placeholder|foo|example/i);
      }
    }
  });

  it('S0-64: the template in the README of the prompts is a prompt that the server takes and renders', async () => {
    const args = { module: 'src/domain' };
    const { result } = await server.request('get', 'prompts/get', {
      name: 'explain-module',
      arguments: args,
    });
    const text = JSON.stringify(result);
    expect(text).to.include('Explain src/domain to a new colleague');
    expect(text).to.include('Tool: list_directory').and.include('workspace');
    expect(text).not.to.include('castellan/problems');
    const template = prompts.find(({ name }) => name === 'explain-module');
    for (const { description } of template?.arguments ?? []) expect(description.length).to.be.above(30);
  });

  it('S0-65: a shipped prompt runs a tool without the wrapper that logs calls, and it is still a call', async () => {
    const args = { problem: 'flaky service' };
    const { result } = await server.request('run', 'prompts/get', {
      name: 'suggest-patterns',
      arguments: args,
    });
    expect(JSON.stringify(result)).to.include('architecture://patterns/retry').and.include('flaky service');
    const { result: stats } = await server.callTool('count', 'get_tool_stats', {
      tool: 'search_architecture',
    });
    expect(JSON.stringify(stats)).to.match(/invocations\W+1\b/);
    // The log is in order: once the line of a later call is there, that of the prompt's would be, too.
    await server.callTool('search', 'search_architecture', { query: 'flaky' });
    await server.callTool('last', 'echo');
    await eventually('the last call is in the log', () => server.stderr.includes('Tool called: echo'));
    expect(server.stderr.split('Tool called: search_architecture')).to.have.length(2);
  });
});
