import { expect } from 'chai';
import { parseFlagName } from '../../../src/domain/flag/flag.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

describe('Getting content', () => {
  let fixture: KnowledgeFixture;

  beforeEach(() => {
    fixture = new KnowledgeFixture(
      [category('lang'), category('docs', { patterns: ['*.md'] }), category('guidelines'), category('gone')],
      { both: ['docs/api', 'lang/python'], wide: ['lang', 'docs', 'lang/java'] },
    );
    for (const name of ['java', 'python', 'rust']) fixture.put(`lang/${name}.md`, `# ${name}\n`);
    fixture.put('lang/notes.txt', 'notes\n');
    fixture.put('docs/api.md', 'the api\n');
    fixture.put('docs/deep/inner.md', 'inner\n');
    fixture.put('guidelines/style.md', 'style\n');
  });

  afterEach(() => fixture.dispose());

  async function text(expression: string, pattern?: string): Promise<string> {
    const found = await fixture.content.handle({ expression, ...(pattern !== undefined && { pattern }) });
    return found.success ? found.value : `${found.errorType}: ${found.error.message}`;
  }

  async function names(expression: string): Promise<readonly string[]> {
    const found = await fixture.content.handle({ expression, list_only: true });
    if (!found.success) throw new Error(found.error.message);
    return JSON.parse(found.value).documents.map(({ name }: { name: string }) => name);
  }

  it('S0-66: lang/python is lang with python', async () => {
    expect(await text('lang/python'))
      .to.equal('# python\n')
      .and.equal(await text('lang', 'python'));
  });

  it('S0-67: documents that match any of the patterns come together', async () => {
    expect(await names('lang/python+java+rust')).to.deep.equal([
      'lang/python.md',
      'lang/java.md',
      'lang/rust.md',
    ]);
  });

  it('S0-68: documents of several parts come in their order', async () => {
    expect(await text('lang/python,docs/api,guidelines')).to.equal(
      '===== docs/lang/python.md =====\n\n# python\n\n\n===== docs/docs/api.md =====\n\nthe api\n\n\n===== docs/guidelines/style.md =====\n\nstyle\n',
    );
  });

  const table: readonly (readonly [string, string, readonly string[]])[] = [
    ['a name without an extension finds any', 'lang/notes', ['lang/notes.txt']],
    ['a pattern with a hit is not retried', 'lang/*a*', ['lang/java.md']],
    ['an extension is not added to one', 'lang/java.md', ['lang/java.md']],
    [
      'each document comes once, where it appeared first',
      'lang/rust,wide',
      ['lang/rust.md', 'lang/java.md', 'lang/python.md', 'docs/api.md', 'docs/deep/inner.md'],
    ],
    ['a collection keeps its order', 'both', ['docs/api.md', 'lang/python.md']],
    ['a pattern with a slash is matched against the path', 'docs/deep/inner', ['docs/deep/inner.md']],
    ['explicit patterns reach what the category leaves out', 'lang/*.txt', ['lang/notes.txt']],
    [
      "the category's own patterns are matched against names at any depth",
      'docs',
      ['docs/api.md', 'docs/deep/inner.md'],
    ],
  ];
  for (const [what, expression, expected] of table) {
    it(`${expression}: ${what}`, async () => {
      expect(await names(expression)).to.deep.equal(expected);
    });
  }

  it('names that begin with _ or . and folders deeper than eight are left out', async () => {
    for (const path of [
      '_draft.md',
      '.hidden.md',
      '_old/a.md',
      '.git/b.md',
      '1/2/3/4/5/6/7/yes.md',
      '1/2/3/4/5/6/7/8/no.md',
    ]) {
      fixture.put(`guidelines/${path}`, path);
    }
    expect(await names('guidelines')).to.deep.equal([
      'guidelines/1/2/3/4/5/6/7/yes.md',
      'guidelines/style.md',
    ]);
    expect(await text('guidelines/_draft.md')).to.match(/^NotFoundError/);
    expect(await text('guidelines/_old/a.md')).to.match(/^NotFoundError/);
  });

  it('at most a hundred documents come, and the answer says so', async () => {
    for (let number = 0; number < 130; number += 1)
      fixture.put(`guidelines/n${1000 + number}.md`, `${number}`);
    expect(await names('guidelines')).to.have.lengthOf(100);
    expect(await text('guidelines')).to.match(/131 documents match and 100 are shown/);
  });

  it('lists names, sizes and hashes instead of text', async () => {
    const found = await fixture.content.handle({ expression: 'guidelines', list_only: true });
    if (!found.success) throw new Error(found.error.message);
    const { documents, total, truncated } = JSON.parse(found.value);
    expect({ total, truncated }).to.deep.equal({ total: 1, truncated: false });
    expect(documents[0]).to.include({
      name: 'guidelines/style.md',
      path: 'docs/guidelines/style.md',
      size: 6,
      uri: 'architecture://guidelines/style',
    });
    expect(documents[0].content_hash).to.match(/^[0-9a-f]{32}$/);
  });

  it('what is too long is cut between sections, with where it goes on', async () => {
    const section = (name: string) => `## ${name}\n${'word '.repeat(20_000)}\n`;
    fixture.put('guidelines/big.md', `# Big\n${section('One')}${section('Two')}${section('Three')}`);
    const cut = await text('guidelines/big');
    expect(Buffer.byteLength(cut)).to.be.below(256 * 1024);
    expect(cut).to.include('## Two').and.not.include('## Three\n');
    expect(cut).to.match(/1 of 4 sections of docs\/guidelines\/big\.md are left out.*line 6, "Three"/);
    expect(await text('guidelines/big,lang/java')).to.match(
      /Left out because the answer is full.*lang\/java\.md/,
    );
  });

  it('says what there is not', async () => {
    expect(await text('lang/cobol')).to.match(/^NotFoundError: No document matches "lang\/cobol"/);
    expect(await text('nope')).to.match(/^NotFoundError: There is no category/);
    expect(await text('gone')).to.match(/^NotFoundError: No document matches/);
    expect(await text('lang/../docs/api.md')).to.match(/^ToolValidationError: .*leads out/);
  });

  it('S3-13: a document is read from disk once for all who ask', async () => {
    await text('lang/java');
    const [document] = (await listed('lang')).filter(({ path }) => path === 'java.md');
    if (document === undefined) throw new Error('not listed');
    const first = await fixture.library.read(document);
    const again = await fixture.library.read(document);
    expect(first.success && again.success && first.value === again.value).to.equal(true);
    const { results } = await found('java');
    expect(results[0]?.uri).to.equal('architecture://documents/lang/java');
  });

  async function listed(name: string) {
    const all = await fixture.library.list(
      fixture.settings.categories.find((each) => each.name === name) ?? category(name),
    );
    return all.success ? all.value : [];
  }

  async function found(query: string) {
    const report = await fixture.find.handle({ query });
    if (!report.success) throw new Error(report.error.message);
    return report.value;
  }
});

describe('The configuration of a project', () => {
  const fixture = new KnowledgeFixture(
    [category('adr')],
    { start: ['adr'] },
    {
      other: { categories: [category('lang')], collections: {} },
    },
  );

  after(() => fixture.dispose());

  it('S1-21: is that of the active project, with the instruction to review it', async () => {
    const beta = parseFlagName('beta');
    if (beta.success) await fixture.flags.set('project', beta.value, true);
    const active = await fixture.config.handle({});
    if (!active.success) throw new Error(active.error.message);
    expect(active.value).to.deep.include({
      project: 'demo',
      active: true,
      collections: { start: ['adr'] },
      flags: { beta: true },
    });
    expect(active.value.categories.adr).to.include({ dir: 'docs/adr', kind: 'adr' });
    expect(active.message).to.equal('Configuration loaded successfully.');
    expect(active.instruction).to.equal('Review the configuration before making changes.');
  });

  it('is that of another project by name', async () => {
    const other = await fixture.config.handle({ project: 'other' });
    expect(other.success && Object.keys(other.value.categories)).to.deep.equal(['lang']);
  });

  it('S1-21: of an unknown project is a NotFoundError that forbids making one up', async () => {
    const unknown = await fixture.config.handle({ project: 'constructor' });
    if (unknown.success) throw new Error('found');
    expect(unknown.errorType).to.equal('NotFoundError');
    expect(unknown.message).to.equal('No configuration found for project: constructor');
    expect(unknown.error.message).to.match(/There are: demo, other/);
    expect(unknown.instruction).to.equal(
      'Present this error to the user. Do not attempt to create a default configuration automatically.',
    );
  });
});
