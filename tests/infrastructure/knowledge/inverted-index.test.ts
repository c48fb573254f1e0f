import { expect } from 'chai';
import {
  type GeneratedDocument,
  generateDocuments,
  questionFrom,
  seededRandom,
  withTypos,
} from '../../../bench/generated-documents.js';
import { outlineOf } from '../../../src/domain/knowledge/document/document-outline.js';
import { InvertedIndex } from '../../../src/infrastructure/knowledge/inverted-index.js';
import { TermStream } from '../../../src/infrastructure/knowledge/term-stream.js';

const LONG = process.env.CASTELLAN_LONG === '1';

function put(index: InvertedIndex<string>, { name, title, text }: Omit<GeneratedDocument, 'summary'>): void {
  const { sections } = outlineOf(text);
  index.put(name, TermStream.of({ title, keywords: '', text, sections }, index.vocabulary));
}

describe('The inverted index', () => {
  const documents = generateDocuments(LONG ? 3000 : 300);
  const index = new InvertedIndex<string>();
  before(() => {
    for (const document of documents) put(index, document);
  });

  function meanReciprocalRank(ask: (document: GeneratedDocument) => string): number {
    const ranks = documents.slice(0, 200).map((document) => {
      const { hits } = index.search(ask(document), 10);
      const at = hits.findIndex(({ key }) => key === document.name);
      return at === -1 ? 0 : 1 / (at + 1);
    });
    return ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  }

  it('S3-30: ranks titles, questions and typos well at once', () => {
    const random = seededRandom(11);
    expect(
      meanReciprocalRank(({ title }) => title),
      'titles',
    ).to.be.at.least(0.95);
    expect(
      meanReciprocalRank(({ summary }) => questionFrom(summary, random)),
      'questions',
    ).to.be.at.least(0.8);
    expect(
      meanReciprocalRank(({ title }) => withTypos(title, random)),
      'typos',
    ).to.be.at.least(0.82);
  });

  it('a title that shares a word with a long question does not win by it', () => {
    const own = new InvertedIndex<string>();
    put(own, {
      name: 'title',
      title: 'Cache',
      text: 'Something else entirely about gardens and flowers in spring.',
    });
    put(own, {
      name: 'answer',
      title: 'Storage',
      text: 'Entries of the cache expire after one minute unless they are renewed by a reader.',
    });
    for (let number = 0; number < 20; number += 1)
      put(own, { name: `f${number}`, title: `Filler ${number}`, text: `text number ${number}` });
    expect(own.search('when do entries of the cache expire unless renewed', 1).hits[0]?.key).to.equal(
      'answer',
    );
    expect(own.search('cache', 1).hits[0]?.key).to.equal('title');
  });

  it('changed documents leave nothing of the old text behind, also after a rebuild', () => {
    const own = new InvertedIndex<number>();
    const text = (number: number, round: number) => ({
      title: `doc ${number}`,
      keywords: '',
      text: `round${round} word${number}`,
      sections: [{ heading: '', start: 0, end: 100 }],
    });
    const rounds = 12;
    for (let round = 0; round < rounds; round += 1) {
      for (let number = 0; number < 100; number += 1) {
        const searchable = text(number, round);
        const sections = [{ heading: '', start: 0, end: searchable.text.length }];
        own.put(number, TermStream.of({ ...searchable, sections }, own.vocabulary));
      }
    }
    expect(own.size).to.equal(100);
    expect(own.search(`round${rounds - 1}`, 200).total).to.equal(100);
    const { hits } = own.search('word42', 200);
    expect(hits[0]?.key).to.equal(42);
    for (let number = 0; number < 100; number += 1) own.remove(number);
    expect(own.search('word42 doc', 10).total).to.equal(0);
  });

  it('scores lie between 0 and 1 and fall', () => {
    const { hits } = index.search(documents[0]?.title ?? '', 20);
    const scores = hits.map(({ score }) => score);
    expect(Math.max(...scores)).to.be.at.most(1);
    expect(Math.min(...scores)).to.be.above(0);
    expect([...scores].sort((a, b) => b - a)).to.deep.equal(scores);
  });
});
