import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { WriteDocumentCommand } from '../../../src/application/knowledge/write-document.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

describe('Writing documents', () => {
  let fixture: KnowledgeFixture;

  beforeEach(() => {
    fixture = new KnowledgeFixture([category('guidelines'), category('adr')]);
  });

  afterEach(() => fixture.dispose());

  function write(command: WriteDocumentCommand) {
    return fixture.write.handle(command, new AbortController().signal);
  }

  const create = (name: string, content = '# New\n', category_dir = 'guidelines') =>
    write({ action: 'create', category_dir, name, content });

  it('S1-11: creates a document and returns its metadata', async () => {
    const made = await create('errors');
    if (!made.success) throw new Error(made.error.message);
    expect(made.value).to.include({
      category: 'guidelines',
      name: 'errors.md',
      path: 'docs/guidelines/errors.md',
      uri: 'architecture://guidelines/errors',
      title: 'New',
      size: 6,
    });
    expect(readFileSync(join(fixture.disk.root, 'docs/guidelines/errors.md'), 'utf8')).to.equal('# New\n');
  });

  it('S1-11: what was created is found at once by content and search', async () => {
    await fixture.find.handle({ query: 'anything' });
    await create('web/caching', '# Caching\nInvalidate by event.\n', 'docs/guidelines');
    const content = await fixture.content.handle({ expression: 'guidelines/web/caching' });
    expect(content.success && content.value).to.include('Invalidate');
    const found = await fixture.find.handle({ query: 'invalidation of caches' });
    expect(found.success && found.value.results[0]?.title).to.equal('Caching');
  });

  it('an existing document is not overwritten by creating it', async () => {
    await create('a', 'first');
    const again = await create('a', 'second');
    expect(!again.success && again.errorType).to.equal('AlreadyExistsError');
    expect(readFileSync(join(fixture.disk.root, 'docs/guidelines/a.md'), 'utf8')).to.equal('first');
  });

  it('S1-12: a name has 1 to 100 characters and stays within the category', async () => {
    for (const name of [
      '',
      ' ',
      'x'.repeat(101),
      '../up',
      'a/../../up',
      '/etc/x',
      'a//b',
      '.hidden',
      '_draft',
      'a/.b',
      'a\0b',
      'a\\b',
      'a\nb',
    ]) {
      const refused = await create(name);
      expect(!refused.success && refused.errorType, JSON.stringify(name)).to.equal('ToolValidationError');
    }
    expect((await create('x'.repeat(97))).success).to.equal(true);
    expect(existsSync(join(fixture.disk.root, 'docs/up.md'))).to.equal(false);
  });

  it('S1-13: updates and deletes a document', async () => {
    await create('a', 'old');
    const updated = await write({ action: 'update', category_dir: 'guidelines', name: 'a', content: 'new' });
    expect(updated.success && updated.value.size).to.equal(3);
    const deleted = await write({ action: 'delete', category_dir: 'guidelines', name: 'a' });
    expect(deleted.success && deleted.value.name).to.equal('a.md');
    expect(existsSync(join(fixture.disk.root, 'docs/guidelines/a.md'))).to.equal(false);
    const content = await fixture.content.handle({ expression: 'guidelines/a' });
    expect(content.success).to.equal(false);
  });

  it('what is not there can be neither updated nor deleted', async () => {
    const updated = await write({ action: 'update', category_dir: 'adr', name: 'none', content: '' });
    const deleted = await write({ action: 'delete', category_dir: 'adr', name: 'none' });
    const nowhere = await write({ action: 'delete', category_dir: 'docs', name: 'none' });
    for (const refused of [updated, deleted, nowhere]) {
      expect(!refused.success && refused.errorType).to.equal('NotFoundError');
    }
  });

  it('S1-13: of two writers who read the same text one wins, and the other is told', async () => {
    const made = await create('shared', 'base');
    if (!made.success) throw new Error(made.error.message);
    const { content_hash = '' } = made.value;
    for (let round = 0; round < 20; round += 1) {
      const current = await write({
        action: 'update',
        category_dir: 'guidelines',
        name: 'shared',
        content: `base ${round}`,
      });
      const if_match = current.success ? (current.value.content_hash ?? '') : '';
      const both = await Promise.all(
        ['one', 'two'].map((content) =>
          write({ action: 'update', category_dir: 'guidelines', name: 'shared', content, if_match }),
        ),
      );
      const lost = both.filter((outcome) => !outcome.success);
      expect(lost).to.have.lengthOf(1);
      expect(lost[0]?.success === false && lost[0].errorType).to.equal('ConflictError');
      const winner = both.findIndex((outcome) => outcome.success);
      expect(readFileSync(join(fixture.disk.root, 'docs/guidelines/shared.md'), 'utf8')).to.equal(
        ['one', 'two'][winner],
      );
    }
    const stale = await write({
      action: 'update',
      category_dir: 'guidelines',
      name: 'shared',
      content: 'x',
      if_match: content_hash,
    });
    expect(!stale.success && stale.error.message).to.match(/content hash is [0-9a-f]{32} now.*Read it again/);
  });
});
