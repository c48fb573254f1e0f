import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentChange } from '../../../src/application/ports/knowledge/document-library.js';
import { eventually } from '../../support/eventually.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

describe('The library on disk', () => {
  const guidelines = category('guidelines');
  let fixture: KnowledgeFixture;
  let changes: DocumentChange[];

  beforeEach(() => {
    fixture = new KnowledgeFixture([guidelines, category('adr')]);
    changes = [];
    fixture.library.onChange((change) => changes.push(change));
  });

  afterEach(() => fixture.dispose());

  const folder = () => join(fixture.disk.root, 'docs/guidelines');
  const seen = (kind: string, path: string) => () =>
    changes.some((change) => change.kind === kind && change.document.path === path);

  async function firstTitle(query: string): Promise<string | undefined> {
    const { hits } = await fixture.search.search(query, {}, 1);
    return hits[0]?.title;
  }

  it('a document that is added, edited and removed on disk is seen by list, text and search', async () => {
    fixture.put('guidelines/old.md', '# Old\n\napricot\n');
    expect(await firstTitle('apricot')).to.equal('Old');
    fixture.put('guidelines/new.md', '# New\n\nblackberry\n');
    await eventually('the new one is found', async () => (await firstTitle('blackberry')) === 'New');
    writeFileSync(join(folder(), 'new.md'), '# Newer\n\nblackberry cranberry\n');
    await eventually('its new text is found', async () => (await firstTitle('cranberry')) === 'Newer');
    rmSync(join(folder(), 'new.md'));
    await eventually('it is gone', async () => (await firstTitle('blackberry')) === undefined);
    expect(changes.map(({ kind }) => kind)).to.include.members(['added', 'changed', 'removed']);
  });

  it('a category whose folder is made later is seen as well', async () => {
    expect(await firstTitle('mango')).to.equal(undefined);
    mkdirSync(join(folder(), 'fruit'), { recursive: true });
    writeFileSync(join(folder(), 'fruit', 'mango.md'), '# Mango\n');
    await eventually('it is found', async () => (await firstTitle('mango')) === 'Mango');
  });

  it('a whole folder that is removed takes its documents along', async () => {
    fixture.put('guidelines/web/a.md', '# A');
    fixture.put('guidelines/web/b.md', '# B');
    await fixture.library.list(guidelines);
    await new Promise((resolve) => setTimeout(resolve, 300));
    rmSync(join(folder(), 'web'), { recursive: true });
    await eventually('both are gone', () => seen('removed', 'web/a.md')() && seen('removed', 'web/b.md')());
  });

  it('hidden names are not news', async () => {
    fixture.put('guidelines/a.md', '# A');
    await fixture.library.list(guidelines);
    await new Promise((resolve) => setTimeout(resolve, 300));
    fixture.put('guidelines/_draft.md', '# Draft');
    fixture.put('guidelines/b.md', '# B');
    await eventually('the visible one is seen', seen('added', 'b.md'));
    expect(changes.map(({ document }) => document.path)).not.to.include('_draft.md');
  });

  it('two decision records of one number have two addresses', async () => {
    fixture.put('adr/0001-first.md', '# One');
    fixture.put('adr/0001-second.md', '# Two');
    fixture.put('adr/ADR-12 other.md', '# Three');
    fixture.put('adr/readme.md', '# Four');
    const listed = await fixture.library.list(category('adr'));
    expect(listed.success && listed.value.map(({ uri }) => uri)).to.deep.equal([
      'architecture://adr/0001',
      'architecture://adr/0001-second',
      'architecture://adr/12',
      'architecture://adr/readme',
    ]);
  });
});
