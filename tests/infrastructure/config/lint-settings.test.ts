import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatProblem } from '../../../src/domain/file-problem.js';
import { loadSettings } from '../../../src/infrastructure/config/load-settings.js';

const TOOLS = [
  { name: 'read_file', category: 'file' },
  { name: 'write_file', category: 'file' },
  { name: 'echo', category: 'utility' },
];

describe('settings that name what is not there', () => {
  let workspace: string;

  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'castellan-settings-'));
  });
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  async function doubtsOf(text: string): Promise<readonly string[]> {
    const bytes = new TextEncoder().encode(text);
    const request = { file: 'castellan.yaml', bytes, workspace, trusted: true, tools: TOOLS };
    const loaded = await loadSettings(request);
    if (!loaded.success) throw new Error(loaded.error);
    return loaded.value.warnings.map(formatProblem);
  }

  it('load, and each is told with its place and what was probably meant', async () => {
    expect(await doubtsOf('tools:\n  include: [file, ekko]\n  exclude: [nosuchthing]\n')).to.deep.equal([
      'castellan.yaml:2:19: tools.include names ekko, which is neither a tool nor a category of tools. Did you mean echo?',
      'castellan.yaml:3:13: tools.exclude names nosuchthing, which is neither a tool nor a category of tools.',
    ]);
    expect(await doubtsOf('tools: { enabled_by: { write_fil: writing } }')).to.deep.equal([
      'castellan.yaml:1:24: tools.enabled_by names write_fil, which is not a tool. Did you mean write_file?',
    ]);
  });

  it('include folders of categories and prompts', async () => {
    mkdirSync(join(workspace, 'docs/decisions'), { recursive: true });
    writeFileSync(join(workspace, 'prompts'), 'a file');
    const text =
      'categories:\n  adr: { dir: docs/decision }\n  other: { dir: elsewhere }\nprompts: { dir: prompts }';
    expect(await doubtsOf(text)).to.deep.equal([
      'castellan.yaml:2:15: categories.adr.dir names docs/decision, and there is no such folder. Did you mean docs/decisions?',
      'castellan.yaml:3:17: categories.other.dir names elsewhere, and there is no such folder. Make it, or name another.',
      'castellan.yaml:4:17: prompts.dir names prompts, which is no folder. Name a folder.',
    ]);
  });

  it('include members of collections, which are categories or other collections', async () => {
    mkdirSync(join(workspace, 'adr'));
    const text = 'categories: { adr: { dir: adr } }\ncollections: { all: ["adr/0001*, most"], most: [ard] }';
    expect(await doubtsOf(text)).to.deep.equal([
      'castellan.yaml:2:49: collections.most names ard, which is neither a category nor a collection. Did you mean adr?',
    ]);
  });

  it('are not those that name what is there, however it is spelt', async () => {
    mkdirSync(join(workspace, 'adr'));
    const text =
      'tools: { include: [utility, Read-File], exclude: [write_file], enabled_by: { echo: a } }\n' +
      'categories: { adr: { dir: adr } }\nprompts: { dir: ./adr }';
    expect(await doubtsOf(text)).to.deep.equal([]);
  });
});
