import { expect } from 'chai';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

/** Aliases of aliases: 60 lines that stand for 10^9 items. */
function aliasBomb(): string {
  const lines = ['---', 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1) {
    const above = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array(10).fill(above).join(', ')}]`);
  }
  return `${[...lines, '---'].join('\n')}\n# Bomb\n`;
}

describe('A folder of hostile documents', () => {
  const fixture = new KnowledgeFixture([category('guidelines')]);
  const problems = () => new Map(fixture.library.problems().map(({ path, problem }) => [path, problem]));

  before(async function () {
    this.timeout(60_000);
    fixture.put('guidelines/good.md', '# Good\n\nThe walnut is here.\n');
    fixture.put('guidelines/bomb.md', aliasBomb());
    fixture.put('guidelines/broken-yaml.md', '---\ntitle: [unclosed\n  x: "\n---\n# Broken walnut\n');
    fixture.put('guidelines/long-front.md', `---\n${'key: value\n'.repeat(20_000)}---\n# Long front\n`);
    fixture.put('guidelines/deep-yaml.md', `---\nx: ${'['.repeat(20_000)}\n---\n# Deep yaml\n`);
    fixture.put('guidelines/huge.md', Buffer.alloc(50 * 1024 * 1024, 'walnut '));
    fixture.put('guidelines/bytes.md', Uint8Array.from([0x23, 0x20, 0xff, 0xfe, 0x80, 0x80]));
    fixture.put('guidelines/headings.md', '# heading\n'.repeat(100_000));
    fixture.put(
      'guidelines/nested.md',
      `${'> '.repeat(50_000)}deep\n\n${'['.repeat(50_000)}\n${'- '.repeat(50_000)}`,
    );
    fixture.put('guidelines/one-line.md', 'a'.repeat(3_000_000));
    fixture.put('guidelines/hashes.md', `# ${'#'.repeat(500_000)} ${' '.repeat(500_000)}#\n`);
    fixture.put(
      'guidelines/proto.md',
      '---\n__proto__: { polluted: yes }\nconstructor: x\ntitle: Proto\n---\n',
    );
    fixture.put('guidelines/empty.md', '');
    const at = (name: string) => `${fixture.disk.root}/docs/guidelines/${name}`;
    fixture.disk.link(at('ring-a.md'), at('ring-b.md'));
    fixture.disk.link(at('ring-b.md'), at('ring-a.md'));
    fixture.disk.link(at('loop'), at('.'));
    fixture.disk.file(`${fixture.disk.outside}/secret.md`, '# Secret walnut\n');
    fixture.disk.link(at('way-out.md'), `${fixture.disk.outside}/secret.md`);
    await fixture.search.search('walnut', {}, 10);
  });

  after(() => fixture.dispose());

  it('the index stays up and finds what is good', async () => {
    const { hits } = await fixture.search.search('walnut', {}, 10);
    expect(hits.map(({ title }) => title)).to.have.members(['Good', 'Broken walnut']);
  });

  for (const [name, reason] of [
    ['bomb.md', /front matter cannot be read.*alias/i],
    ['broken-yaml.md', /front matter cannot be read/],
    ['long-front.md', /front matter has \d+ characters/],
    ['deep-yaml.md', /front matter cannot be read/],
    ['huge.md', /larger than a document may be/],
    ['bytes.md', /not valid UTF-8/],
    ['headings.md', /more headings than are kept/],
    ['ring-a.md', /links, or in a circle/],
    ['ring-b.md', /links, or in a circle/],
    ['loop', /not followed/],
    ['way-out.md', /link to a place that may not be used|does not allow/],
  ] as const) {
    it(`reports ${name}`, () => {
      expect(problems().get(`docs/guidelines/${name}`)).to.match(reason);
    });
  }

  it('reports nothing about what is merely odd, and logs each problem once', async () => {
    expect([...problems().keys()], JSON.stringify([...problems()])).to.have.lengthOf(11);
    await fixture.search.search('walnut', {}, 10);
    const logged = fixture.logger.records.filter(({ level }) => level === 'warn');
    expect(logged.length).to.equal(new Set(logged.map(({ fields }) => fields?.path)).size);
  });

  it('keys of front matter touch no prototype', () => {
    expect(Object.hasOwn(Object.prototype, 'polluted')).to.equal(false);
  });

  it('the rest of it can still be read', async () => {
    const read = await fixture.content.handle({ expression: 'guidelines/good' });
    expect(read.success && read.value).to.include('walnut');
    const out = await fixture.content.handle({ expression: 'guidelines/way-out' });
    expect(out.success).to.equal(false);
  });
});
