import { expect } from 'chai';
import { KnowledgeResources } from '../../../src/presentation/resources/knowledge-resources.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

const adr = (title: string, word: string) =>
  `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe chose ${word}.\n\n### Details\n\nMore ${word}.\n\n## Consequences\n\nNone of ${word}.\n`;

interface Expected {
  readonly file: string;
  readonly word: string;
  readonly addresses: readonly string[];
}

/** Each document with every way of naming it. */
const DOCUMENTS: readonly Expected[] = [
  {
    file: 'adr/0018-honest-queues.md',
    word: 'walnut',
    addresses: [
      '18',
      '0018',
      'ADR-0018',
      'adr 18',
      '#18',
      'adr/18',
      'adr/0018',
      'adr/0018-honest-queues',
      'adr/0018-honest-queues.md',
      'docs/adr/0018-honest-queues.md',
      './docs/adr/0018-honest-queues.md',
      '0018-honest-queues.md',
      '0018-honest-queues',
      'architecture://adr/0018',
      'architecture://adr/18',
      'architecture://adr/0018-honest-queues',
    ],
  },
  {
    file: 'adr/adr-007 caches, keys + tags.md',
    word: 'hazel',
    addresses: [
      '7',
      '007',
      'ADR-7',
      'architecture://adr/007',
      'adr/adr-007 caches, keys + tags.md',
      'adr/adr-007 caches, keys + tags',
      'docs/adr/adr-007 caches, keys + tags.md',
      'adr-007%20caches%2C%20keys%20%2B%20tags.md',
      'architecture://adr/adr-007%20caches%2C%20keys%20%2B%20tags',
    ],
  },
  {
    file: 'adr/2086-sidecars/README.md',
    word: 'juniper',
    addresses: [
      '2086',
      'KEP-2086',
      'kep 2086',
      '2086-sidecars',
      'architecture://adr/2086',
      'adr/2086-sidecars/README.md',
      'docs/adr/2086-sidecars/README.md',
    ],
  },
  {
    file: 'rules/naming things (v2).md',
    word: 'cedar',
    addresses: [
      'rules/naming things (v2)',
      'rules/naming things (v2).md',
      'docs/rules/naming things (v2).md',
      'naming things (v2)',
      'architecture://documents/rules/naming%20things%20(v2)',
    ],
  },
  {
    file: 'patterns/retry.md',
    word: 'maple',
    addresses: [
      'retry',
      'retry.md',
      'patterns/retry',
      'docs/patterns/retry.md',
      'architecture://patterns/retry',
    ],
  },
];

describe('The address of a document', () => {
  const fixture = new KnowledgeFixture([
    category('adr'),
    category('rules'),
    category('patterns'),
    category('logs', { kind: 'adr' }),
  ]);
  const notices = { publish: () => undefined, onPublish: () => () => undefined } as never;
  const resources = new KnowledgeResources(fixture.library, fixture.settings, notices, fixture.address);
  let opened = 0;

  before(() => {
    for (const { file, word } of DOCUMENTS) fixture.put(file, adr(`About ${word}`, word));
    fixture.put('logs/payments/0031-ledger.md', adr('Ledger', 'birch'));
    fixture.put('logs/shipping/0031-labels.md', adr('Labels', 'alder'));
  });
  after(() => fixture.dispose());

  const open = async (expression: string) => {
    opened += 1;
    const answer = await fixture.content.handle({ expression });
    return answer.success ? answer.value : answer.error.message;
  };

  for (const { file, word, addresses } of DOCUMENTS) {
    it(`${file} opens by ${addresses.length} names, each also with an anchor`, async () => {
      for (const address of addresses) {
        expect(await open(address), address).to.equal(adr(`About ${word}`, word));
        const isNumber = /^#?\d+$/.test(address);
        const section = `## Decision\n\nWe chose ${word}.\n\n### Details\n\nMore ${word}.`;
        if (!isNumber || !address.startsWith('#')) {
          expect(await open(`${address}#decision`), `${address}#decision`).to.equal(section);
        }
      }
    });
  }

  it('resources/read opens the same addresses', async () => {
    for (const { word, addresses } of DOCUMENTS) {
      for (const uri of addresses.filter((address) => address.startsWith('architecture://'))) {
        opened += 1;
        const whole = await resources.read(uri);
        expect(whole?.success && whole.value).to.include({ text: adr(`About ${word}`, word) });
        const section = await resources.read(`${uri}#consequences`);
        expect(section?.success && section.value).to.include({
          text: `## Consequences\n\nNone of ${word}.`,
        });
      }
    }
  });

  it('what a search shows opens as the section it showed', async () => {
    for (const { word } of DOCUMENTS) {
      const found = await fixture.find.handle({ query: `none of ${word}`, max_results: 1 });
      const [hit] = found.success ? found.value.results : [];
      expect(await open(`${hit?.uri}#${hit?.anchor}`)).to.include(hit?.excerpt);
      expect(hit?.anchor).to.equal('consequences');
    }
  });

  it('at least sixty calls were made', () => {
    expect(opened).to.be.at.least(60);
  });

  it('says which documents a number may be that two logs have', async () => {
    expect(await open('31')).to.match(
      /may be architecture:\S+ledger\S* or architecture:\S+labels|may be .* or /,
    );
    expect(await open('logs/payments/0031-ledger.md')).to.include('birch');
  });

  it('names the anchors of a document that lacks the one asked for', async () => {
    expect(await open('18#decisions')).to.include('Did you mean #decision?');
  });
});
