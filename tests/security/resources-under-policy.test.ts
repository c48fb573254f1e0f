import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AuditLog } from '../../src/application/ports/audit/audit-log.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { isJsonObject } from '../../src/domain/json-value.js';
import { Result } from '../../src/domain/result.js';
import { RecordingAuditLog } from '../../src/testing/testing.js';
import { eventually } from '../support/eventually.js';
import { PipeClient } from '../support/pipe-client.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const SETTINGS =
  'categories: { guidelines: { dir: docs, patterns: ["**/*.md"] } }\nprompts: { dir: prompts }\n';
const SECRET = 'walnut-cabinet-code';
const DENYING = 'tools: { read_file: { allowed_paths: ["."], denied_paths: ["docs/private/**"] } }\n';

describe('Resources under the policy', () => {
  let disk: TemporaryDisk;
  let castellan: Castellan;
  let client: PipeClient;
  let audit: RecordingAuditLog;

  async function open(policy: string): Promise<void> {
    disk = new TemporaryDisk();
    disk.file(join(disk.root, 'settings.yaml'), SETTINGS);
    disk.file(join(disk.root, 'policy.yaml'), policy);
    disk.file(join(disk.root, 'docs/open.md'), '# Open\n');
    disk.file(join(disk.root, 'docs/private/plan.md'), `# Plan\n\n${SECRET}\n`);
    symlinkSync('private/plan.md', join(disk.root, 'docs/alias.md'));
    audit = new RecordingAuditLog();
    castellan = await createCastellan({
      configure: (container) => {
        container.rebind(AuditLog).toConstantValue(audit);
      },
      workspace: disk.root,
      config: join(disk.root, 'settings.yaml'),
      policy: join(disk.root, 'policy.yaml'),
      logLevel: 'silent',
      environment: { ...process.env, XDG_STATE_HOME: disk.state },
    });
    client = new PipeClient(castellan);
    await client.result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
  }

  afterEach(async () => {
    await client.hangUp();
    await castellan.close();
    disk.dispose();
  });

  async function listed(prefix: string): Promise<readonly string[]> {
    const { resources } = await client.result('resources/list');
    if (!Array.isArray(resources)) throw new Error('no list');
    return resources.map(({ uri }) => uri).filter((uri) => uri.startsWith(prefix));
  }

  const tool = (name: string, args: object) => client.request('tools/call', { name, arguments: args });

  it('a denied document is neither listed, read nor completed, by its own name or by a link to it', async () => {
    await open(DENYING);
    expect(await listed('architecture:')).to.deep.equal(['architecture://guidelines/open']);
    for (const id of ['private/plan', 'private/plan.md', 'alias']) {
      const uri = `architecture://guidelines/${id}`;
      const { error } = await client.request('resources/read', { uri });
      expect(isJsonObject(error) && error.message).to.match(/There is no document/);
      const subscribed = await client.request('resources/subscribe', { uri });
      expect(subscribed.error).not.to.equal(undefined);
    }
    const completed = await client.result('completion/complete', {
      ref: { type: 'ref/resource', uri: 'architecture://guidelines/{id}' },
      argument: { name: 'id', value: '' },
    });
    expect(completed.completion).to.deep.include({ values: ['open'] });
  });

  it('nor do the knowledge tools reveal it', async () => {
    await open(DENYING);
    for (const args of [
      { expression: 'guidelines' },
      { expression: 'guidelines/**' },
      { expression: 'guidelines/private/plan' },
      { expression: 'guidelines/alias', list_only: true },
    ]) {
      const text = JSON.stringify(await tool('get_content', args));
      expect(text).not.to.include(SECRET).and.not.to.include('private/plan.md');
    }
    const found = JSON.stringify(await tool('search_architecture', { query: 'walnut cabinet plan' }));
    expect(found).not.to.include(SECRET).and.not.to.include('plan.md');
    expect(JSON.stringify(await tool('get_project_config', {}))).not.to.include('plan.md');
  });

  it('documents, statistics and specifications are shown to who could have them from a tool', async () => {
    await open('extends: []\ntools: { echo: {}, get_tool_stats: {} }\n');
    expect(await listed('')).to.have.members([
      'castellan://stats',
      'castellan://tools/echo',
      'castellan://tools/get_tool_stats',
    ]);
    for (const uri of ['architecture://guidelines/open', 'castellan://tools/write_file']) {
      expect((await client.request('resources/read', { uri })).result, uri).to.equal(undefined);
    }
    const { resourceTemplates } = await client.result('resources/templates/list');
    expect(resourceTemplates).to.have.length(1);
  });

  it('what a person must agree to is not read past the question', async () => {
    await open('tools: { get_content: { consent: ask }, get_tool_stats: { enabled: false } }\n');
    expect(await listed('architecture:')).to.deep.equal([]);
    expect(await listed('castellan://stats')).to.deep.equal([]);
  });

  describe('in the audit log', () => {
    const uri = 'architecture://guidelines/open';
    const read = (address: string) => client.request('resources/read', { uri: address });
    const recorded = () =>
      audit.outcomes.map(({ call, outcome }) => [call.tool, call.decision.effect, outcome.kind]);

    it('have a record for each reading, as the tool that shows the same, and none for looking', async () => {
      await open('audit: { arguments: full }\ntools: { get_content: {} }\n');
      await listed('');
      await client.result('resources/subscribe', { uri });
      await read('castellan://tools/echo');
      expect(audit.outcomes).to.deep.equal([]);
      await read(uri);
      await tool('get_content', { expression: 'guidelines/open' });
      // An answer comes just before its record.
      await client.result('ping');
      expect(recorded()).to.deep.equal([
        ['resources/read', 'allow', 'success'],
        ['get_content', 'allow', 'success'],
      ]);
      const [reading, call] = audit.outcomes;
      expect(reading?.call.arguments).to.deep.equal({ uri });
      expect(reading?.call.argumentDetail).to.equal('full');
      expect(reading?.call.decision).to.deep.equal(call?.call.decision);
      expect(reading?.call.caller).to.deep.equal(call?.call.caller);
      expect(reading?.outcome.bytes).to.equal('# Open\n'.length);
    });

    it('have one for what is not there, and for what is hidden from the caller', async () => {
      await open(DENYING);
      await read('architecture://guidelines/private/plan');
      await read('nothing://at/all');
      expect(recorded()).to.deep.equal([
        ['resources/read', 'allow', 'failure'],
        ['resources/read', 'deny', 'refused'],
      ]);
    });

    it('are recorded before they are shown where the policy wants that, or not shown', async () => {
      await open('audit: { required_for: [get_content] }\n');
      await read(uri);
      expect(audit.intents.map(({ call, required }) => [call.tool, required])).to.deep.equal([
        ['resources/read', true],
      ]);
      audit.intent = async () => Result.failure('The disk is full.', 'AuditUnavailable');
      const { result, error } = await read(uri);
      expect(result).to.equal(undefined);
      expect(isJsonObject(error) && error.message).to.match(/audit log cannot be written/);
    });

    it('have a record where a prompt takes one in', async () => {
      await open('tools: { get_content: {} }\n');
      const content = { type: 'text', text: `{{resource:${uri}}}` };
      const prompt = { name: 'take', description: 'Take it in.', messages: [{ role: 'user', content }] };
      disk.file(join(disk.root, 'prompts/take.json'), JSON.stringify(prompt));
      expect(JSON.stringify(await client.result('prompts/get', { name: 'take' }))).to.include('# Open');
      expect(recorded()).to.deep.equal([['resources/read', 'allow', 'success']]);
    });
  });

  it('are redacted like the results of the tool', async () => {
    await open(
      'redaction: { results: true, patterns: [{ name: code, regex: "walnut-[a-z-]+", replace: "***" }] }\n',
    );
    const uri = 'architecture://guidelines/private/plan';
    const text = JSON.stringify(await client.result('resources/read', { uri }));
    expect(text).to.include('# Plan').and.not.to.include(SECRET);
    expect(
      JSON.stringify(await tool('get_content', { expression: 'guidelines/private/plan' })),
    ).not.to.include(SECRET);
  });

  it('another policy hides and shows at once, and the client is told', async () => {
    await open('tools: { echo: {} }\n');
    const plan = 'architecture://guidelines/private/plan';
    expect(await listed('architecture:')).to.include(plan);
    expect(JSON.stringify(await client.result('resources/read', { uri: plan }))).to.include(SECRET);
    await tool('search_architecture', { query: 'walnut' });
    writeFileSync(join(disk.root, 'policy.yaml'), DENYING);
    await eventually('it is hidden', async () => !(await listed('architecture:')).includes(plan));
    const told = client.notices.map(({ method }) => method);
    expect(told).to.include('notifications/resources/list_changed');
    expect((await client.request('resources/read', { uri: plan })).result).to.equal(undefined);
    const found = JSON.stringify(await tool('search_architecture', { query: 'walnut' }));
    expect(found).not.to.include(SECRET);
    writeFileSync(join(disk.root, 'policy.yaml'), 'tools: { echo: {} }\n');
    await eventually('it is shown again', async () => (await listed('architecture:')).includes(plan));
  });
});
