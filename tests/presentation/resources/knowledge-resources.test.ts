import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { isJsonObject } from '../../../src/domain/json-value.js';
import { eventually } from '../../support/eventually.js';
import { type Message, PipeClient } from '../../support/pipe-client.js';
import { TemporaryDisk } from '../../support/temporary-disk.js';

const SETTINGS = `
categories:
  guidelines: { dir: docs/guidelines, patterns: ["**/*.md"] }
  adr: { dir: docs/adr, patterns: ["*.md"] }
  lang: { dir: docs/lang, patterns: ["*.md"], kind: guidelines, enabled_by: { rust.md: rust } }
flags: { schemas: { rust: { type: boolean } } }
`;

describe("Resources of the project's documents, as a client sees them", () => {
  let disk: TemporaryDisk;
  let castellan: Castellan;
  let client: PipeClient;
  let handshake: Message;
  const at = (path: string) => join(disk.root, 'docs', path);

  beforeEach(async () => {
    disk = new TemporaryDisk();
    disk.file(join(disk.root, 'settings.yaml'), SETTINGS);
    disk.file(at('guidelines/errors.md'), '---\ntitle: Errors\ndescription: How to fail\n---\n# E\n');
    disk.file(at('guidelines/web/a b.md'), '# Spaces\n');
    disk.file(at('adr/0007-use-redis.md'), '# Use Redis\n');
    disk.file(at('lang/python.md'), '# Python\n');
    disk.file(at('lang/rust.md'), '# Rust\n');
    castellan = await createCastellan({
      workspace: disk.root,
      config: join(disk.root, 'settings.yaml'),
      logLevel: 'silent',
      environment: { ...process.env, XDG_STATE_HOME: disk.state },
    });
    client = new PipeClient(castellan);
    handshake = await client.result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
  });

  afterEach(async () => {
    await client.hangUp();
    await castellan.close();
    disk.dispose();
  });

  async function uris(): Promise<readonly string[]> {
    const { resources } = await client.result('resources/list');
    if (!Array.isArray(resources)) throw new Error('no list');
    return resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('architecture:'));
  }

  const heard = (method: string, uri?: string) => () =>
    client.notices.some(
      (notice) =>
        notice.method === method &&
        (uri === undefined || (isJsonObject(notice.params) && notice.params.uri === uri)),
    );

  it('a document that a flag switches comes with it, and the client is told', async () => {
    const rust = 'architecture://guidelines/lang/rust';
    expect(await uris()).not.to.include(rust);
    const set = (value: unknown) =>
      client.result('tools/call', { name: 'set_project_flag', arguments: { flag: 'rust', value } });
    expect((await set('maybe')).isError).to.equal(true);
    await set(true);
    await eventually('the notice', heard('notifications/resources/list_changed'));
    expect(await uris()).to.include(rust);
    await set(null);
    await eventually('it is gone', async () => !(await uris()).includes(rust));
    expect((await client.request('resources/read', { uri: rust })).result).to.equal(undefined);
  });

  it('S3-02: resources are advertised with subscriptions and list changes', () => {
    expect(handshake)
      .to.have.nested.property('capabilities.resources')
      .that.deep.equals({ subscribe: true, listChanged: true });
  });

  it('lists each document with title, size, type, time and audience', async () => {
    expect(await uris()).to.deep.equal([
      'architecture://adr/0007',
      'architecture://guidelines/errors',
      'architecture://guidelines/lang/python',
      'architecture://guidelines/web/a%20b',
    ]);
    const { resources } = await client.result('resources/list');
    const errors = Array.isArray(resources)
      ? resources.find(({ uri }) => uri.endsWith('/errors'))
      : undefined;
    expect(errors).to.deep.include({
      name: 'errors',
      title: 'Errors',
      description: 'How to fail',
      mimeType: 'text/markdown',
      size: 51,
    });
    expect(errors.annotations.audience).to.deep.equal(['assistant', 'user']);
    expect(errors.annotations.lastModified).to.match(/^\d{4}-\d\d-\d\dT/);
  });

  it('a long list comes in pages that have everything once', async () => {
    for (let number = 0; number < 150; number += 1)
      disk.file(at(`guidelines/n${number}.md`), `# N ${number}\n`);
    const seen: string[] = [];
    for (let cursor: unknown; ; ) {
      const page = await client.result('resources/list', cursor === undefined ? {} : { cursor });
      if (Array.isArray(page.resources)) seen.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen.filter((uri) => uri.startsWith('architecture:'))).to.have.lengthOf(154);
  });

  it('reads by address, by the whole name of the file, and a record by its bare number', async () => {
    for (const uri of [
      'architecture://adr/0007',
      'architecture://adr/7',
      'architecture://adr/0007-use-redis',
    ]) {
      const { contents } = await client.result('resources/read', { uri });
      expect(contents).to.deep.equal([{ uri, mimeType: 'text/markdown', text: '# Use Redis\n' }]);
    }
    const { contents } = await client.result('resources/read', {
      uri: 'architecture://guidelines/web/a%20b',
    });
    expect(contents).to.have.nested.property('[0].text', '# Spaces\n');
  });

  it('refuses addresses that lead elsewhere, with the code of the specification', async () => {
    disk.file(join(disk.root, 'secret.md'), 'secret');
    for (const uri of [
      'architecture://guidelines/../../secret',
      'architecture://guidelines/%2e%2e/%2e%2e/secret',
      'architecture://adr/99',
      'architecture://nothing/x',
      'architecture://',
    ]) {
      expect(await client.request('resources/read', { uri })).to.have.nested.property('error.code', -32002);
    }
  });

  it('offers templates and completes names', async () => {
    const { resourceTemplates } = await client.result('resources/templates/list');
    expect(JSON.stringify(resourceTemplates))
      .to.include('architecture://guidelines/{id}')
      .and.include('architecture://adr/{id}');
    const completed = await client.result('completion/complete', {
      ref: { type: 'ref/resource', uri: 'architecture://guidelines/{id}' },
      argument: { name: 'id', value: 'E' },
    });
    expect(completed).to.have.nested.property('completion.values').that.deep.equals(['errors']);
  });

  it('an edit on disk is told to who subscribed, and the new text is there', async () => {
    const uri = 'architecture://guidelines/errors';
    await client.result('resources/subscribe', { uri });
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(at('guidelines/errors.md'), '# Changed\n');
    await eventually('the notice', heard('notifications/resources/updated', uri));
    const { contents } = await client.result('resources/read', { uri });
    expect(contents).to.have.nested.property('[0].text', '# Changed\n');
    expect(heard('notifications/resources/list_changed')()).to.equal(false);
  });

  it('a document that comes or goes changes the list, and is told', async () => {
    await uris();
    disk.file(at('guidelines/new.md'), '# New\n');
    await eventually('the notice', heard('notifications/resources/list_changed'));
    expect(await uris()).to.include('architecture://guidelines/new');
    client.notices.length = 0;
    rmSync(at('guidelines/new.md'));
    await eventually('the second notice', heard('notifications/resources/list_changed'));
    expect(await uris()).not.to.include('architecture://guidelines/new');
  });

  it('who did not subscribe, or no longer, hears nothing', async () => {
    const uri = 'architecture://guidelines/errors';
    await client.result('resources/subscribe', { uri });
    await client.result('resources/unsubscribe', { uri });
    await client.result('resources/subscribe', { uri: 'architecture://adr/0007' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(at('guidelines/errors.md'), '# Changed\n');
    writeFileSync(at('adr/0007-use-redis.md'), '# Changed\n');
    await eventually('the other notice', heard('notifications/resources/updated', 'architecture://adr/0007'));
    expect(heard('notifications/resources/updated', uri)()).to.equal(false);
  });

  it('a subscription needs a resource that is there', async () => {
    expect(
      await client.request('resources/subscribe', { uri: 'architecture://adr/99' }),
    ).to.have.nested.property('error.code', -32002);
    expect(await client.request('resources/subscribe')).to.have.nested.property('error.code', -32602);
  });
});
