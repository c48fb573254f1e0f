import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CastellanOptions } from '../../../src/composition/configuration/castellan-options.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { eventually } from '../../support/eventually.js';
import { type Message, PipeClient } from '../../support/pipe-client.js';
import { definition } from '../../support/sample-tool.js';

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('the sets of tools that a client is shown', () => {
  let root: string;
  let castellan: Castellan;
  let client: PipeClient;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-sets-')));
  });
  afterEach(async () => {
    await client.hangUp();
    await castellan.close();
    rmSync(root, { recursive: true, force: true });
  });

  const open = async (options: CastellanOptions = {}, hello: Message = {}): Promise<void> => {
    const environment = { HOME: join(root, 'home'), ...options.environment };
    const config = join(root, 'settings.yaml');
    castellan = await createCastellan({
      workspace: root,
      logLevel: 'silent',
      ...options,
      environment,
      ...(options.config !== undefined && { config }),
    });
    client = new PipeClient(castellan);
    await client.result('initialize', { ...HELLO, ...hello });
  };
  const settings = (text: string): CastellanOptions => {
    writeFileSync(join(root, 'settings.yaml'), text);
    return { config: 'settings.yaml' };
  };
  const names = async (): Promise<readonly string[]> => {
    const { tools } = await client.result('tools/list');
    return Array.isArray(tools) ? tools.map(({ name }: { name: string }) => name) : [];
  };
  const call = (name: string, args: Message = {}) => client.request('tools/call', { name, arguments: args });

  it('C30, S4-06: are all that have what they require; what has not can still be called', async () => {
    await open();
    const seen = await names();
    expect(seen).to.include.members([
      'echo',
      'explain_permission',
      'get_project_config',
      'get_tool_stats',
      'read_file',
      'search_content',
      'system_info',
    ]);
    for (const missing of ['get_project_flag', 'claude_conversation', 'get_content', 'enable_toolset'])
      expect(seen).not.to.include(missing);
    expect(JSON.stringify(await call('list_project_flags'))).not.to.contain('"error"');
  });

  it('C30, S0-48, S0-51: include all six flag tools once the project has a name', async () => {
    await open(settings('project: { name: shop }\n'));
    const flags = ['set', 'get'].flatMap((verb) => [`${verb}_project_flag`, `${verb}_feature_flag`]);
    expect(await names()).to.include.members([...flags, 'list_project_flags', 'list_feature_flags']);
  });

  it('C30: include claude_conversation with a key, and for a client that lends its model', async () => {
    const policy = join(root, 'policy.yaml');
    writeFileSync(policy, 'version: 1\ntools: { claude_conversation: {} }\n');
    await open({ policy, environment: { ANTHROPIC_API_KEY: 'none' } });
    expect(await names()).to.include('claude_conversation');
    await client.hangUp();
    await castellan.close();
    await open({ policy }, { capabilities: { sampling: {} } });
    expect(await names()).to.include('claude_conversation');
    await client.hangUp();
    await castellan.close();
    await open({ policy });
    expect(await names()).not.to.include('claude_conversation');
  });

  it("C30, S3-11: include an embedder's tool, whatever its category", async () => {
    const categories = ['utility', 'ai', 'project', 'meta', 'knowledge', 'file', 'reports'];
    const tools = categories.map((category) => definition({ name: `greet_${category}`, category }));
    await open({ tools });
    expect(await names()).to.include.members(tools.map(({ name }) => name));
  });

  it('C30: are the same bytes after calls, files and flags that come; S3-09: in the order of names', async () => {
    await open();
    const list = async () => JSON.stringify(await client.result('tools/list'));
    const before = await list();
    await call('set_project_flag', { flag: 'dark-mode' });
    await call('write_file', { path: 'new.txt', content: 'x' });
    await call('get_tool_stats');
    await call('enable_toolset');
    expect(await list()).to.equal(before);
    const seen = await names();
    expect(seen).to.deep.equal([...seen].sort());
  });

  it('S4-19: are those of one category where the client names it, in the parameters or in _meta', async () => {
    await open();
    const ofCategory = async (params: Message) => {
      const { tools } = await client.result('tools/list', params);
      return Array.isArray(tools) ? tools.map(({ name }: { name: string }) => name) : [];
    };
    expect(await ofCategory({ category: 'utility' })).to.deep.equal(['echo']);
    expect(await ofCategory({ _meta: { 'castellan/category': 'utility' } })).to.deep.equal(['echo']);
    expect(await ofCategory({ _meta: { category: 'utility' } })).to.deep.equal(['echo']);
    expect(await ofCategory({ category: 'no-such' })).to.deep.equal([]);
    expect(await ofCategory({ category: 7 })).to.include.members(['echo', 'read_file']);
  });

  it('include flags where there are some, and knowledge where there are categories', async () => {
    mkdirSync(join(root, '.castellan'));
    writeFileSync(join(root, '.castellan/flags.json'), '{}');
    mkdirSync(join(root, 'docs'));
    await open(settings('categories: { guidelines: { dir: docs } }\n'));
    expect(await names()).to.include.members(['get_project_flag', 'get_content', 'get_project_config']);
  });

  it('grow by the one that enable_toolset is given, and the client is told', async () => {
    await open({ toolsets: 'files' });
    const listed = await call('enable_toolset');
    expect(JSON.stringify(listed)).to.contain('flags: flags of the project').and.to.contain('meta: ');
    expect(await names()).not.to.include('list_project_flags');
    const added = await call('enable_toolset', { set: 'flags' });
    expect(JSON.stringify(added)).to.contain('Added: get_feature_flag');
    await eventually('the client is told', () =>
      client.notices.some(({ method }) => method === 'notifications/tools/list_changed'),
    );
    expect(await names()).to.include('list_project_flags');
  });

  it('are no boundary: a tool of another set answers when it is called', async () => {
    await open({ toolsets: 'files' });
    expect(JSON.stringify(await call('system_info'))).to.contain('node_version');
  });

  it('have nothing to do with what is excluded or not allowed: that stays unknown', async () => {
    await open(settings('tools: { exclude: [project], sets: [files] }\n'));
    expect(await names()).not.to.include('execute_command');
    const refused = await call('enable_toolset', { set: 'flags' });
    expect(JSON.stringify(refused)).to.contain('There are no tools in the set flags here');
    expect(await call('get_project_flag', { flag: 'x' })).to.have.nested.property('error.code', -32602);
  });

  it('are chosen by setting, by option, and by the client at initialize', async () => {
    await open({ ...settings('tools: { sets: [meta] }\n') });
    expect(await names())
      .to.include('get_tool_stats')
      .and.not.to.include('read_file');
    await client.hangUp();
    await castellan.close();
    await open({ ...settings('tools: { sets: [meta] }\n'), toolsets: 'files,flags' });
    expect(await names())
      .to.include.members(['read_file', 'list_project_flags'])
      .and.not.to.include('get_tool_stats');
    await client.hangUp();
    await castellan.close();
    await open({}, { _meta: { 'castellan/toolsets': ['flags', 'nonsense'] } });
    expect(await names())
      .to.include('list_project_flags')
      .and.not.to.include('read_file');
  });

  it('are all of them with `all`, and then there is nothing to enable', async () => {
    await open({ toolsets: 'all' });
    expect(await names())
      .to.include.members(['echo', 'system_info', 'list_project_flags'])
      .and.not.to.include('enable_toolset');
  });

  it('are refused at the start where they do not exist', async () => {
    await open();
    const wrong = await createCastellan({
      workspace: root,
      toolsets: 'files,tools',
      logLevel: 'silent',
    }).catch(String);
    expect(wrong)
      .to.contain('--toolsets must be all, or some of files, commands')
      .and.to.contain('got tools');
  });
});
