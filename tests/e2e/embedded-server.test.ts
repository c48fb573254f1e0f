import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import { createCastellan } from '../../src/index.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { PROJECT } from '../support/spawned-server.js';

/** The programs in the documents that serve over stdio, as a reader would copy them. */
const SNIPPETS: readonly (readonly [string, string, object, string])[] = [
  ['docs/how-to/add-a-tool.md', 'greet', { name: 'Ada' }, 'Hello, Ada'],
];

function snippetOf(document: string): string {
  const blocks = readFileSync(join(PROJECT, document), 'utf8').matchAll(/```ts\n(.*?)```/gs);
  const programs = [...blocks].flatMap(([, code]) => (code?.includes('serveStdio') ? [code] : []));
  if (programs.length !== 1 || programs[0] === undefined)
    throw new Error(`${document}: ${programs.length} programs`);
  return programs[0];
}

describe('A program from the documents', function () {
  this.timeout(60_000);
  const workspace = new CliWorkspace();
  const folder = mkdtempSync(join(tmpdir(), 'castellan-snippets-'));

  before(() => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(PROJECT, join(folder, 'node_modules', 'castellan'));
    symlinkSync(join(PROJECT, 'node_modules', 'typebox'), join(folder, 'node_modules', 'typebox'));
    workspace.write('docs/adr/0001-first.md', '# First\n');
    workspace.write('castellan.yaml', 'categories: { adr: { dir: docs/adr } }\n');
  });

  after(async () => {
    await workspace.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [document, tool, args, text] of SNIPPETS) {
    it(`${document}: serves its client and ends with it`, async () => {
      // A policy that is watched, flags that are followed, documents: everything that could keep a process alive.
      workspace.write('permissions.yaml', 'tools: { echo: {} }\n');
      const script = join(folder, `${tool}.mjs`);
      writeFileSync(script, snippetOf(document));
      const server = workspace.serve([], {}, script);
      await server.initialize();
      const { result } = await server.callTool(1, tool, args);
      expect(result).to.have.nested.property('content[0].text', text);
      // Files are followed a quarter of a second after the handshake.
      await eventually('documents are listed', async () => {
        const listed = await server.request(`list ${server.messages.length}`, 'resources/list', {});
        return JSON.stringify(listed).includes('architecture:');
      });
      workspace.write('permissions.yaml', 'tools: { echo: { enabled: false } }\n');
      await eventually('the policy is watched', async () => {
        const echoed = await server.callTool(`echo ${server.messages.length}`, 'echo', {});
        return JSON.stringify(echoed).includes('ToolDisabledError');
      });
      expect(await server.end()).to.deep.equal({ code: 0, signal: null });
    });
  }
});

describe('An embedder that calls in process', function () {
  this.timeout(60_000);
  let root: string;

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'castellan-embedder-'));
    mkdirSync(join(root, 'workspace'));
  });

  afterEach(() => rmSync(join(root, 'home'), { recursive: true, force: true }));
  after(() => rmSync(root, { recursive: true, force: true }));

  it('has its policy watched from the beginning', async () => {
    const policy = join(root, 'policy.yaml');
    writeFileSync(policy, 'tools: { write_file: { allowed_paths: [./one] } }\n');
    const castellan = await createCastellan({
      workspace: join(root, 'workspace'),
      policy,
      environment: { HOME: join(root, 'home') },
      logLevel: 'silent',
    });
    const write = async () =>
      (await castellan.execute('write_file', { path: 'two/a.txt', content: 'x', create_dirs: true })).success;
    expect(await write()).to.equal(false);
    writeFileSync(policy, 'tools: { write_file: { allowed_paths: [./one, ./two] } }\n');
    await eventually('the edited policy is in force', write);
    await castellan.close();
  });

  it('has its global flags in the home of the environment that it gives', async () => {
    const castellan = await createCastellan({
      workspace: join(root, 'workspace'),
      environment: { HOME: join(root, 'home') },
      logLevel: 'silent',
    });
    const set = await castellan.execute('set_feature_flag', { flag: 'dark_mode', value: true });
    expect(set.success).to.equal(true);
    await castellan.close();
    const file = join(root, 'home', '.config', 'castellan', 'flags.json');
    expect(readFileSync(file, 'utf8')).to.include('dark_mode');
  });
});
