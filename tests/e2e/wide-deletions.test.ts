import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { isJsonObject } from '../../src/domain/json-value.js';
import { MANY_CALLS } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';
import { ENVELOPES } from '../support/other-answers.js';
import { MAIN } from '../support/spawned-server.js';

const POLICY = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

/** Each would take the workspace or its repository away. `@` stands for the absolute workspace. */
const WIDE: readonly string[] = [
  'rm -rf .',
  'rm -r -f ./',
  'rm -rf -- .',
  'rm --recursive --force .',
  'rm --recurs -f .',
  'rm . -rf',
  'rm -Rf src/..',
  'rm -rf *',
  'rm -rf ./*',
  'rm -rf @',
  'rm -rf @/',
  'rm -rf @/*',
  'rm -rf ../project',
  'rm -rf ..',
  'rm -rf /',
  'rm -rf .g*',
  'rm -rf .[!.]*',
  'cd src && rm -rf ..',
  '/bin/rm -rf .',
  'env rm -rf .',
  'timeout 9 rm -rf .',
  "sh -c 'rm -rf .'",
  'echo x; rm -rf . || true',
  'find . -delete',
  'find -delete',
  'find . -type f -delete',
  'find @ -mindepth 1 -delete',
  'find .git -type f -delete',
  'find . -type f -exec rm -f {} +',
  'git clean -fdx',
  'git clean -xdf',
  'git clean -f -d -x .',
  'git clean --force -dX',
];

/** Named as it is, the repository is protected: nobody has to be asked. */
const REFUSED: readonly string[] = [
  'rm -rf .git',
  'rm -rf ./.git/',
  'rm -rf .git/objects',
  'rm -rf src .git',
  '/bin/rm -rf .git',
  'env rm -rf .git',
  'timeout 9 rm -rf .git',
  "sh -c 'rm -rf .git'",
  'echo x; rm -rf .git || true',
];

/** Ordinary work: it runs without a question. */
const ORDINARY: readonly string[] = [
  'mkdir -p build/a && rm -rf build',
  'rm -rf build/*',
  'rm -rf ./dist node_modules/.cache',
  'rm -f *.log',
  "find . -name '*.pyc' -delete",
  'find build -delete || true',
  'git clean -nd',
  'git clean -ndx',
  'git clean -fdx build',
  'echo rm -rf .',
  'ls',
];

describe('Deleting the workspace or its repository', function () {
  this.timeout(120_000);
  let project: HonestProject;
  let asking: Client;
  let silent: Client;
  const questions: string[] = [];

  async function connect(capabilities: object): Promise<Client> {
    const client = new Client({ name: 'e2e', version: '1' }, { capabilities });
    if ('elicitation' in capabilities) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        questions.push(params.message);
        return { action: 'decline' };
      });
    }
    const env = {
      ...ENVELOPES,
      PATH: process.env.PATH ?? '',
      HOME: project.root,
      CASTELLAN_WORKSPACE: project.workspace,
      CASTELLAN_POLICY: project.policy(POLICY),
      XDG_STATE_HOME: project.state,
      CASTELLAN_LOG_LEVEL: 'silent',
    };
    const transport = { command: process.execPath, args: [MAIN], cwd: project.workspace, env };
    await client.connect(new StdioClientTransport({ ...transport, stderr: 'ignore' }));
    return client;
  }

  async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
    const { content } = await client.callTool({ name, arguments: args });
    const first: unknown = Array.isArray(content) ? content[0] : undefined;
    return isJsonObject(first) && typeof first.text === 'string' ? first.text : '';
  }

  const line = (text: string): string => text.replaceAll('@', project.workspace);

  before(async () => {
    project = new HonestProject();
    [asking, silent] = [await connect({ elicitation: {} }), await connect({})];
  });

  after(async () => {
    await asking?.close();
    await silent?.close();
    project?.remove();
  });

  for (const wide of WIDE) {
    it(`asks before ${wide}, with how much would be gone`, async () => {
      questions.length = 0;
      const answer = await call(asking, 'execute_command', { command: line(wide) });
      expect(answer).to.include('"reason":"CONSENT_REQUIRED"');
      expect(questions).to.have.length(1);
      expect(questions[0]).to.match(/This would delete [\d,]+ files? \([\d.]+ (bytes|KiB|MiB)\) for good: /);
      expect(existsSync(join(project.workspace, '.git', 'objects'))).to.equal(true);
    });
  }

  for (const refused of REFUSED) {
    it(`refuses ${refused}`, async () => {
      const answer = await call(asking, 'execute_command', { command: refused });
      expect(answer).to.include('"reason":"PROTECTED"');
      expect(existsSync(join(project.workspace, '.git', 'objects'))).to.equal(true);
    });
  }

  for (const ordinary of ORDINARY) {
    it(`runs ${ordinary}`, async () => {
      questions.length = 0;
      expect(await call(asking, 'execute_command', { command: ordinary })).to.include('"status":"success"');
      expect(questions).to.deep.equal([]);
    });
  }

  it('exact arguments are judged alike', async () => {
    questions.length = 0;
    await call(asking, 'execute_command', { command: 'rm', args: ['-rf', '.'] });
    await call(asking, 'execute_command', { command: 'rm', args: ['-rf', '..'], cwd: 'src' });
    expect(questions).to.have.length(2);
    // No shell expands it: this is a file that happens to be called `*`.
    expect(await call(asking, 'execute_command', { command: 'rm', args: ['-rf', '*'] })).to.include(
      '"exit_code":0',
    );
  });

  it('a client that cannot ask is told how much it would be and what to do', async () => {
    const answer = await call(silent, 'execute_command', { command: 'rm -rf *' });
    expect(answer).to.include('"reason":"CONSENT_UNAVAILABLE"');
    expect(answer).to.match(
      /would delete [\d,]+ files .*: the whole workspace\. Delete by name what has to go/,
    );
  });

  it('delete_path says how many files of what size', async () => {
    mkdirSync(join(project.workspace, 'old/inner'), { recursive: true });
    writeFileSync(join(project.workspace, 'old/a'), 'x'.repeat(1536));
    writeFileSync(join(project.workspace, 'old/inner/b'), 'x'.repeat(1536));
    questions.length = 0;
    const recursive = { recursive: true, explicit_action: 'DELETE_PATH' };
    await call(asking, 'delete_path', { path: 'old', ...recursive });
    await call(asking, 'delete_path', { path: '.', ...recursive });
    await call(asking, 'delete_path', { path: 'README.md', explicit_action: 'DELETE_PATH' });
    expect(questions[0]).to.include('This would delete 2 files (3 KiB) for good: old.');
    expect(questions[1]).to.match(/delete [\d,]+ files \(.*\) for good: the whole workspace\./);
    expect(questions[2]).to.match(/delete 1 file \(\d+ bytes\) for good: README\.md\./);
  });

  it('stops counting at ten thousand', async () => {
    const many = join(project.workspace, 'many');
    mkdirSync(many);
    for (let file = 0; file < 10_001; file += 1) writeFileSync(join(many, `f${file}`), '');
    questions.length = 0;
    await call(asking, 'delete_path', { path: 'many', recursive: true, explicit_action: 'DELETE_PATH' });
    expect(questions[0]).to.include(
      'This would delete more than 10,000 files (more than 0 bytes) for good: many.',
    );
  });
});
