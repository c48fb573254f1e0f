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

describe('Narrowing and paging a search', () => {
  const fixture = new KnowledgeFixture([category('adr'), category('notes'), category('guidelines')]);
  const adr = (number: number, status: string) =>
    `# ${number}. Queue ${number}\n\n## Status\n\n${status}\n\n## Decision\n\nThe queue is number ${number}.\n`;

  before(() => {
    for (let number = 1; number <= 30; number += 1) {
      const status = number % 3 === 0 ? 'Rejected' : 'Accepted';
      fixture.put(`adr/${String(number).padStart(4, '0')}-queue.md`, adr(number, status));
    }
    fixture.put('notes/queue.md', '# Queue notes\n\nA queue.\n');
    fixture.put('guidelines/queue.md', '# Queue rules\n\nA queue.\n');
    for (let number = 0; number < 130; number += 1) {
      fixture.put(`notes/n/n${number}.md`, `# Note ${number}\n`);
    }
  });
  after(() => fixture.dispose());

  const search = async (query: Parameters<typeof fixture.find.handle>[0]) => {
    const found = await fixture.find.handle(query);
    if (!found.success) throw new Error(found.error.message);
    return { ...found.value, cursor: found.notes.page?.next_cursor };
  };

  it('by category, by the type documents and by status, and shows the status', async () => {
    const notes = await search({ query: 'queue', category: 'notes' });
    expect(notes.results.map(({ uri }) => uri)).to.deep.equal(['architecture://documents/notes/queue']);
    expect(await search({ query: 'queue', resource_type: 'documents' })).to.deep.equal(notes);
    const rejected = await search({ query: 'queue', status: 'rejected', max_results: 20 });
    expect(rejected.total_matches).to.equal(10);
    expect(new Set(rejected.results.map(({ status }) => status))).to.deep.equal(new Set(['rejected']));
    expect(notes.results[0]).not.to.have.property('status');
  });

  it('says which categories there are when one is asked for that is not', async () => {
    const found = await fixture.find.handle({ query: 'queue', category: 'note' });
    expect(!found.success && found.error.message).to.match(/no category "note".*Did you mean notes\?/);
  });

  it('pages with a cursor: every document once, and then no cursor', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ query: 'queue', max_results: 7, ...(cursor && { cursor }) });
      seen.push(...page.results.map(({ uri }) => uri));
      cursor = page.cursor;
    } while (cursor !== undefined && seen.length < 100);
    expect(seen).to.have.lengthOf(32);
    expect(new Set(seen).size).to.equal(32);
    const wrong = await fixture.find.handle({ query: 'queue', cursor: 'nonsense' });
    expect(!wrong.success && wrong.error.message).to.include('cursor');
  });

  it('a list of over a hundred documents pages too', async () => {
    const list = async (cursor?: string) => {
      const answer = await fixture.content.handle({
        expression: 'notes/n/*.md',
        list_only: true,
        ...(cursor !== undefined && { cursor }),
      });
      if (!answer.success) throw new Error(answer.error.message);
      return { names: answer.value.match(/notes\/n\/n\d+\.md/g) ?? [], page: answer.notes.page };
    };
    const first = await list();
    const second = await list(first.page?.next_cursor);
    expect(first.page?.total).to.equal(130);
    expect(second.page).to.equal(undefined);
    expect(new Set([...first.names, ...second.names]).size).to.equal(130);
  });
});
