import { expect } from 'chai';
import {
  generateDocuments,
  questionFrom,
  seededRandom,
  withTypos,
} from '../../../bench/generated-documents.js';
import { InvertedIndex } from '../../../src/infrastructure/knowledge/inverted-index.js';
import { keywordsOf, readMarkdown } from '../../../src/infrastructure/knowledge/markdown-reader.js';
import { TermStream } from '../../../src/infrastructure/knowledge/term-stream.js';

async function indexOf(documents: readonly { readonly name: string; readonly text: string }[]) {
  const index = new InvertedIndex<string>();
  for (const { name, text } of documents) {
    const { content } = await readMarkdown(name, text);
    const { title, outline } = content;
    const searchable = { title, keywords: keywordsOf(content), text, sections: outline.sections };
    index.put(name, TermStream.of(searchable, index.vocabulary));
  }
  return index;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('Ranking', () => {
  const documents = generateDocuments(400);
  const halves = [0, 1].map((half) => documents.filter((_, index) => index % 2 === half));

  for (const [half, asked] of halves.entries()) {
    it(`finds titles, questions and typos of half ${half} of the documents among all of them`, async () => {
      const index = await indexOf(documents);
      const random = seededRandom(29 + half);
      const ranks = asked
        .filter((_, at) => at % 4 === 0)
        .flatMap(({ name, title, summary }) =>
          [title, questionFrom(summary, random), withTypos(title, random)].map((query) => {
            const at = index.search(query, 10).hits.findIndex(({ key }) => key === name);
            return at === -1 ? 0 : 1 / (at + 1);
          }),
        );
      expect(ranks.length).to.equal(150);
      expect(mean(ranks)).to.be.at.least(0.955);
    });
  }

  it('finds the section from which the words of a question are', async () => {
    const index = await indexOf(documents);
    const random = seededRandom(31);
    const right: number[] = [];
    for (const { name, text } of documents.slice(0, 150)) {
      const { content } = await readMarkdown(name, text);
      const wanted = 1 + Math.floor(random() * 4);
      const section = content.outline.sections[wanted];
      const [, sentence = ''] = text.slice(section?.start, section?.end).split('\n\n');
      const [hit] = index.search(questionFrom(sentence.split('. ')[1] ?? '', random), 1).hits;
      if (hit?.key === name) right.push(hit.section === wanted ? 1 : 0);
    }
    expect(right.length).to.be.at.least(100);
    expect(mean(right)).to.be.at.least(0.9);
  });

  it('prefers the document in which the words stand together', async () => {
    const filler = 'other words about nothing in particular follow here and go on for a while. '.repeat(3);
    const index = await indexOf([
      { name: 'apart.md', text: `# A\n\nLeader. ${filler} Election. ${filler} Timeout. Leader election.\n` },
      { name: 'together.md', text: `# B\n\nThe leader election timeout. ${filler} ${filler}\n` },
      { name: 'other.md', text: `# C\n\n${filler}\n` },
    ]);
    expect(index.search('leader election timeout', 3).hits[0]?.key).to.equal('together.md');
  });

  it('does not find a section by the table of contents', async () => {
    const text =
      '# Design\n\n## Table of Contents\n\n- [Graduation criteria](#graduation-criteria)\n- [Risks](#risks)\n\n## Summary\n\n- [Graduation criteria](#graduation-criteria)\n\nIt is short.\n\n## Graduation criteria\n\nTwo releases.\n';
    const index = await indexOf([{ name: 'a.md', text }]);
    expect(index.search('graduation criteria', 1).hits[0]?.section).to.equal(3);
    expect(index.search('risks', 1).hits).to.deep.equal([]);
  });
});
