import { expect } from 'chai';
import { SwitchedDocumentLibrary } from '../../../src/application/knowledge/switched-document-library.js';
import { parseFlagName } from '../../../src/domain/flag/flag.js';
import { Result } from '../../../src/domain/result.js';
import { DocumentSearchIndex } from '../../../src/infrastructure/knowledge/document-search-index.js';
import { ImmediateTurns } from '../../../src/infrastructure/system/immediate-turns.js';
import { eventually } from '../../support/eventually.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

describe('Documents that a flag switches', () => {
  const adr = category('adr', {
    enabledBy: [
      { pattern: 'drafts/**', flag: 'drafts' },
      { pattern: '**/secret.md', flag: 'secrets' },
    ],
  });
  let fixture: KnowledgeFixture;
  let library: SwitchedDocumentLibrary;

  beforeEach(() => {
    fixture = new KnowledgeFixture([adr]);
    fixture.put('adr/0001.md', '# Always\n');
    fixture.put('adr/drafts/0002.md', '# Draft of walnuts\n');
    fixture.put('adr/drafts/secret.md', '# Both\n');
    library = new SwitchedDocumentLibrary(fixture.library, fixture.flags, fixture.logger);
  });

  afterEach(async () => {
    await library.close();
    await fixture.dispose();
  });

  async function paths(): Promise<readonly string[]> {
    const listed = await library.list(adr);
    return listed.success ? listed.value.map(({ path }) => path) : [];
  }

  async function set(flag: string, value: boolean, scope: 'project' | 'global' = 'project'): Promise<void> {
    const name = parseFlagName(flag);
    if (!name.success) throw new Error(name.error);
    await fixture.flags.set(scope, name.value, value);
  }

  it('are there while every flag of theirs is on in the project', async () => {
    expect(await paths()).to.deep.equal(['0001.md']);
    await set('drafts', true, 'global');
    expect(await paths()).to.deep.equal(['0001.md', 'drafts/0002.md']);
    await set('secrets', true);
    expect(await paths()).to.deep.equal(['0001.md', 'drafts/0002.md', 'drafts/secret.md']);
    await set('drafts', false);
    expect(await paths()).to.deep.equal(['0001.md']);
  });

  it('cannot be read while it is off, by whoever still knows them', async () => {
    await set('drafts', true);
    const listed = await library.list(adr);
    const draft = listed.success ? listed.value.find(({ path }) => path === 'drafts/0002.md') : undefined;
    if (draft === undefined) throw new Error('it is on');
    expect((await library.read(draft)).success).to.equal(true);
    await set('drafts', false);
    const read = await library.read(draft);
    expect(!read.success && read.error.kind).to.equal('not-found');
  });

  it('come and go for those who listen, and for the search', async () => {
    const search = new DocumentSearchIndex(library, [adr], new ImmediateTurns());
    const heard: string[] = [];
    library.onChange(({ kind, document }) => heard.push(`${kind} ${document.path}`));
    expect((await search.search('walnuts', {}, 5)).total).to.equal(0);
    await set('drafts', true);
    await eventually('it is told', () => heard.includes('added drafts/0002.md'));
    expect((await search.search('walnuts', {}, 5)).total).to.equal(1);
    await set('drafts', false);
    await eventually('it is told', () => heard.includes('removed drafts/0002.md'));
    expect((await search.search('walnuts', {}, 5)).total).to.equal(0);
    expect(heard).to.have.length(2);
  });

  it('stay as they were while the flags cannot be read', async () => {
    await set('drafts', true);
    expect(await paths()).to.have.length(2);
    fixture.flags.all = async () => Result.failure('The store is away.', 'FlagStoreUnavailable');
    await set('drafts', false);
    expect(await paths()).to.have.length(2);
    expect(
      fixture.logger.records.some(({ message }) => /stay as they are: The store is away/.test(message)),
    ).to.equal(true);
  });
});
