import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { category, KnowledgeFixture } from '../support/knowledge-fixture.js';

const SECRET = 'top secret walnut';

describe('Knowledge stays within the folders of its categories', () => {
  let fixture: KnowledgeFixture;
  const inside = (path: string) => join(fixture.disk.root, 'docs/guidelines', path);

  beforeEach(() => {
    fixture = new KnowledgeFixture([category('guidelines'), category('linked', { dir: 'linked' })]);
    fixture.put('guidelines/good.md', '# Good\n');
    fixture.disk.file(join(fixture.disk.root, 'secret.md'), SECRET);
    fixture.disk.file(join(fixture.disk.outside, 'secret.md'), SECRET);
  });

  afterEach(() => fixture.dispose());

  async function everything(expression: string): Promise<string> {
    const found = await fixture.content.handle({ expression });
    return found.success ? found.value : found.error.message;
  }

  for (const expression of [
    'guidelines/../../secret.md',
    'guidelines/../secret',
    'guidelines//etc/passwd',
    'guidelines/**/../../secret.md',
    'guidelines/{..,x}/secret.md',
    'guidelines/%2e%2e/secret.md',
    'guidelines/..\\secret.md',
    '../secret.md',
    './secret',
    'guidelines/./../../secret',
  ]) {
    it(`${expression} shows nothing from outside`, async () => {
      expect(await everything(expression)).not.to.include(SECRET);
    });
  }

  it('links to files and folders outside are not followed by reading, listing or searching', async () => {
    symlinkSync(join(fixture.disk.outside, 'secret.md'), inside('file.md'));
    symlinkSync(fixture.disk.outside, inside('folder'));
    symlinkSync('../../secret.md', inside('relative.md'));
    for (const expression of [
      'guidelines',
      'guidelines/file.md',
      'guidelines/folder/secret.md',
      'guidelines/**',
      'guidelines/relative',
    ]) {
      expect(await everything(expression)).not.to.include(SECRET);
    }
    expect((await fixture.search.search('walnut', {}, 10)).total).to.equal(0);
    expect(fixture.library.problems().map(({ path }) => path)).to.include('docs/guidelines/file.md');
  });

  it('a link within the category is an ordinary document', async () => {
    symlinkSync('good.md', inside('alias.md'));
    expect(await everything('guidelines/alias')).to.equal('# Good\n');
  });

  it('a category whose own folder is a link within the workspace is where the link leads, and no further', async () => {
    const real = join(fixture.disk.root, 'shared');
    fixture.disk.file(join(real, 'a.md'), '# Shared\n');
    symlinkSync(real, join(fixture.disk.root, 'linked'));
    symlinkSync(join(fixture.disk.outside, 'secret.md'), join(real, 'out.md'));
    expect(await everything('linked/a')).to.equal('# Shared\n');
    expect(await everything('linked/out')).not.to.include(SECRET);
  });

  it('a category whose own folder is a link out of the workspace shows nothing', async () => {
    symlinkSync(fixture.disk.outside, join(fixture.disk.root, 'linked'));
    expect(await everything('linked')).not.to.include(SECRET);
    expect(await everything('linked/secret')).not.to.include(SECRET);
  });

  it('a link that takes the place of a document after it was listed is not read', async () => {
    const [document] = await listed();
    if (document === undefined) throw new Error('not listed');
    const { rmSync } = await import('node:fs');
    rmSync(inside('good.md'));
    symlinkSync(join(fixture.disk.outside, 'secret.md'), inside('good.md'));
    const read = await fixture.library.read(document);
    expect(read.success).to.equal(false);
  });

  async function listed() {
    const all = await fixture.library.list(category('guidelines'));
    return all.success ? all.value : [];
  }

  it('writing through links out of the category is refused', async () => {
    symlinkSync(fixture.disk.outside, inside('folder'));
    symlinkSync(join(fixture.disk.outside, 'secret.md'), inside('file.md'));
    const { signal } = new AbortController();
    const place = { category_dir: 'guidelines', content: 'overwritten' };
    const outcomes = [
      await fixture.write.handle({ action: 'create', ...place, name: 'folder/new' }, signal),
      await fixture.write.handle({ action: 'create', ...place, name: 'file' }, signal),
      await fixture.write.handle({ action: 'update', ...place, name: 'file' }, signal),
      await fixture.write.handle({ action: 'update', ...place, name: 'folder/secret' }, signal),
      await fixture.write.handle(
        { action: 'delete', category_dir: 'guidelines', name: 'folder/secret' },
        signal,
      ),
    ];
    expect(outcomes.every(({ success }) => !success)).to.equal(true);
    expect(readFileSync(join(fixture.disk.outside, 'secret.md'), 'utf8')).to.equal(SECRET);
    expect(existsSync(join(fixture.disk.outside, 'new.md'))).to.equal(false);
  });

  it('whatever an expression says, nothing from outside comes back', async () => {
    symlinkSync(fixture.disk.outside, inside('folder'));
    const piece = fc.constantFrom(
      'guidelines',
      'linked',
      '/',
      '..',
      ',',
      '+',
      '*',
      '**',
      'secret.md',
      'folder',
      '.',
      '\\',
      '{',
      '}',
      '%2e',
      '\0',
    );
    const expression = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        expect(await everything(text)).not.to.include(SECRET);
      }),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 3000 : 300 },
    );
  });

  it('whatever a document is called, nothing is written outside', async () => {
    const piece = fc.constantFrom('a', '..', '/', '.', '\\', '~', 'secret', '\0', ' ', '%2f');
    const name = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const made = await fixture.write.handle(
          { action: 'create', category_dir: 'guidelines', name: text, content: 'x' },
          signal,
        );
        if (made.success) expect(made.value.path).to.match(/^docs\/guidelines\/[^.]/);
      }),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 1000 : 100 },
    );
    expect(readFileSync(join(fixture.disk.root, 'secret.md'), 'utf8')).to.equal(SECRET);
    expect(existsSync(join(fixture.disk.root, 'docs/a.md'))).to.equal(false);
  });
});
