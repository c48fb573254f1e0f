import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { MAIN } from '../support/spawned-server.js';

const PATTERN_URI = 'architecture://patterns/calls';

function promptText(text: string): string {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return JSON.stringify({ name: 'greet', description: 'Greet.', messages });
}

function patternText(forbidden: string): string {
  return `---\nrules:\n  - { id: forbidden, message: Never, regex: '${forbidden}\\(', examples: { bad: ['${forbidden}(1)'] } }\n---\n# Calls\n`;
}

describe('Prompts and patterns that are edited while a client is connected', () => {
  useInstead(ENVELOPES);
  let project: CliWorkspace;
  let client: Client;
  let stderr: string;
  let prompts: number;
  let patterns: number;

  beforeEach(async () => {
    project = new CliWorkspace();
    project.write('prompts/greet.json', promptText('Hello.'));
    project.write('prompts/loose.json', promptText('{{tool:nothing}}').replace('greet', 'loose'));
    project.write('patterns/calls.md', patternText('eval'));
    const config = project.write(
      'castellan.yaml',
      'categories: { patterns: { dir: patterns } }\nprompts: { dir: prompts }\n',
    );
    stderr = '';
    prompts = 0;
    patterns = 0;
    client = new Client({ name: 'e2e', version: '1' });
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
      prompts += 1;
    });
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      if (params.uri === PATTERN_URI) patterns += 1;
    });
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...project.env }).flatMap(([key, value]) =>
        value === undefined || key === 'CASTELLAN_WORKSPACE' ? [] : [[key, value]],
      ),
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, '--config', config],
      cwd: project.folder,
      env,
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await client.connect(transport);
  });
  afterEach(async () => {
    await client.close();
    await project.remove();
  });

  const greeting = async () => {
    const { messages } = await client.getPrompt({ name: 'greet' });
    const content = messages[0]?.content;
    return content?.type === 'text' ? content.text.split('\n')[0] : undefined;
  };
  const verdict = async (code: string) => {
    const answer = await client.callTool({
      name: 'validate_against_pattern',
      arguments: { code, pattern_name: 'calls' },
    });
    return JSON.parse(JSON.stringify(answer.structuredContent)).value;
  };

  it('S3-45: an edited prompt is told of, and the new one is served; a broken one keeps the last good', async () => {
    expect(await greeting()).to.equal('Hello.');
    project.write('prompts/greet.json', promptText('Good morning.'));
    await eventually('a notice of the prompt', () => prompts > 0);
    expect(await greeting()).to.equal('Good morning.');
    project.write('prompts/greet.json', '{ "name": "greet", // broken\n');
    await eventually('a report of the broken file', () => /greet\.json:1:20: Not valid JSON/.test(stderr));
    expect(await greeting()).to.equal('Good morning.');
    const before = prompts;
    project.write('prompts/greet.json', promptText('Repaired.'));
    await eventually('a second notice', () => prompts > before);
    expect(await greeting()).to.equal('Repaired.');
  });

  it('tells a client that has asked for nothing yet', async () => {
    await eventually('files to be followed', async () => {
      project.write('prompts/greet.json', promptText(`Hello ${Math.random()}.`));
      return prompts > 0;
    });
  });

  it('an edited pattern is told to who subscribed, and its new rules hold', async () => {
    await client.subscribeResource({ uri: PATTERN_URI });
    expect((await verdict('exec(x)')).verdict).to.equal('compliant');
    project.write('patterns/calls.md', patternText('exec'));
    await eventually('a notice of the pattern', () => patterns > 0);
    expect((await verdict('exec(x)')).verdict).to.equal('violations');
    const { contents } = await client.readResource({ uri: PATTERN_URI });
    expect(JSON.stringify(contents)).to.include('exec');
  });

  for (const [what, broken] of [
    ['front matter that is no YAML', '---\nrules: [ { id: "open\n---\n# Calls\n'],
    [
      'rules that are declared wrongly',
      '---\nrules:\n  - { id: forbidden, message: Never, regex: [] }\n---\n# Calls\n',
    ],
  ] as const) {
    it(`a pattern with ${what} keeps its last good rules, and says so`, async () => {
      await client.subscribeResource({ uri: PATTERN_URI });
      expect((await verdict('eval(x)')).verdict).to.equal('violations');
      project.write('patterns/calls.md', broken);
      await eventually('a notice of the pattern', () => patterns > 0);
      const report = await verdict('eval(x)');
      expect(report.verdict).to.equal('violations');
      expect(report.suggestions.join('\n')).to.match(/Repair the pattern: its file is wrong now/);
      expect((await verdict('fine(x)')).verdict).to.equal('compliant');
    });
  }

  it('a reference to a tool that is not there is reported when the prompt is loaded', async () => {
    await eventually('a line in the log', () => /refers to what is not there/.test(stderr));
    expect(stderr).to.match(/loose\.json:1:\d+: \{\{tool:nothing\}\} names no tool\./);
  });
});
