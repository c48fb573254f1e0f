import { expect } from 'chai';
import type { SearchDocumentsQuery } from '../../../src/application/knowledge/search-documents.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

describe('Searching documents', () => {
  let fixture: KnowledgeFixture;

  beforeEach(() => {
    fixture = new KnowledgeFixture([
      category('guidelines'),
      category('patterns'),
      category('adr', { patterns: ['*.md'] }),
    ]);
    fixture.put(
      'guidelines/errors.md',
      '# Handling errors\n\nIntro.\n\n## Retries\n\nRetry with backoff. Never retry a write.\n',
    );
    fixture.put(
      'patterns/circuit-breaker.md',
      '---\ntitle: Circuit breaker\n---\n# x\n\nStops calling what fails. It opens after faults and retries later.\n',
    );
    fixture.put('adr/0007-use-redis.md', '# 7. Use Redis\n\n## Decision\n\nShared state lives in Redis.\n');
    for (let number = 0; number < 30; number += 1)
      fixture.put(
        `guidelines/filler-${number}.md`,
        `# Filler ${number}\n\nNothing about it, number ${number}, redundant.\n`,
      );
  });

  afterEach(() => fixture.dispose());

  async function search(query: SearchDocumentsQuery) {
    const found = await fixture.find.handle(query);
    if (!found.success) throw new Error(found.error.message);
    return found.value;
  }

  it('S3-29: answers with the section: address, title, score, excerpt, heading, line and anchor', async () => {
    const { results, total_matches } = await search({ query: 'when to retry a write' });
    const [first] = results;
    expect(first).to.include({
      uri: 'architecture://guidelines/errors',
      title: 'Handling errors',
      resource_type: 'guidelines',
      excerpt: 'Never retry a write.',
      heading: 'Handling errors > Retries',
      line: 5,
      anchor: 'retries',
    });
    expect(first?.relevance_score).to.be.within(0.01, 1);
    expect(total_matches).to.equal(2);
  });

  it('S3-28: narrows by type and cuts to a number, counting before the cut', async () => {
    expect(
      (await search({ query: 'retries', resource_type: 'patterns' })).results.map(({ title }) => title),
    ).to.deep.equal(['Circuit breaker']);
    const many = await search({ query: 'filler nothing', max_results: 3 });
    expect(many.results).to.have.lengthOf(3);
    expect(many.total_matches).to.equal(30);
    expect((await search({ query: 'filler nothing' })).results).to.have.lengthOf(10);
  });

  it('S3-30: finds by stem, by part of an identifier and through a typo', async () => {
    expect((await search({ query: 'retrying' })).results[0]?.title).to.equal('Handling errors');
    expect((await search({ query: 'circiut braeker' })).results[0]?.title).to.equal('Circuit breaker');
    expect((await search({ query: 'redsi' })).results[0]?.uri).to.equal('architecture://adr/0007');
  });

  it('a word that some document has is never taken for a typo', async () => {
    const { results } = await search({ query: 'redundant' });
    expect(results.every(({ title }) => title.startsWith('Filler'))).to.equal(true);
  });

  it('nothing found is an answer, not a failure', async () => {
    expect(await search({ query: 'zzzzqqqq' })).to.deep.equal({ results: [], total_matches: 0 });
    expect(await search({ query: '!?' })).to.deep.equal({ results: [], total_matches: 0 });
  });

  it('S3-31: answers are kept for a while and dropped when a document changes', async () => {
    const first = await search({ query: 'retries' });
    expect(await search({ query: 'retries' })).to.equal(first);
    fixture.now += 61_000;
    const later = await search({ query: 'retries' });
    expect(later).not.to.equal(first);
    fixture.put('guidelines/more.md', '# Retries again\n\nretries retries\n');
    await fixture.library.refresh(category('guidelines'), 'more.md');
    expect((await search({ query: 'retries' })).results.map(({ title }) => title)).to.include(
      'Retries again',
    );
  });

  it('problems with files are told beside the results', async () => {
    fixture.put('guidelines/broken.md', Uint8Array.from([0x23, 0x20, 0xff, 0xfe, 0x80]));
    const found = await fixture.find.handle({ query: 'retries' });
    expect(found.success && found.message).to.match(/broken\.md.*UTF-8/);
  });
});
