import { expect } from 'chai';
import { TURN_CHARACTERS, type Turns } from '../../../src/application/ports/system/turns.js';
import { DocumentSearchIndex } from '../../../src/infrastructure/knowledge/document-search-index.js';
import { ImmediateTurns } from '../../../src/infrastructure/system/immediate-turns.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

/** Counts how much text is worked on between two turns of the event loop, as a call that waits would see it. */
class CountedTurns implements Turns {
  readonly #turns = new ImmediateTurns();
  #now = 0;
  most = 0;
  whole = 0;
  ticks = 0;
  #ticking = true;

  constructor() {
    this.#tick();
  }

  async take(characters: number): Promise<void> {
    await this.#turns.take(characters);
    this.#now += characters;
    this.whole += characters;
    this.most = Math.max(this.most, this.#now);
  }

  stop(): void {
    this.#ticking = false;
  }

  #tick(): void {
    setImmediate(() => {
      this.#now = 0;
      this.ticks += 1;
      if (this.#ticking) this.#tick();
    });
  }
}

describe('Indexing gives way', () => {
  const long = process.env.CASTELLAN_LONG === '1';
  const count = long ? 700 : 60;
  const edited = long ? 300 : 25;
  const guidelines = category('guidelines', { patterns: ['**/*.md'] });
  const paragraph = 'Words that are indexed, one after another, until the page is full.\n\n';
  const page = (number: number, size: number) =>
    `# Page ${number}\n\n## Part\n\n${paragraph.repeat(Math.ceil(size / paragraph.length))}`;

  it('works on at most 128 KB of text a turn, on many documents, on a very long one and on edits', async () => {
    const fixture = new KnowledgeFixture([guidelines]);
    const turns = new CountedTurns();
    try {
      for (let number = 0; number < count; number += 1) {
        fixture.put(`guidelines/p${number}.md`, page(number, 40_000));
      }
      fixture.put('guidelines/long.md', page(9999, 2_000_000));
      fixture.put('guidelines/data.csv', 'never,read\n'.repeat(100_000));
      const search = new DocumentSearchIndex(fixture.library, [guidelines], turns);
      await search.search('words', {}, 1);
      expect(turns.whole).to.be.above(count * 40_000 + 2_000_000 - 1);
      expect(turns.whole).to.be.below(count * 41_000 + 2_100_000);
      expect(turns.most).to.be.at.most(TURN_CHARACTERS);
      expect(turns.ticks).to.be.above(Math.floor(turns.whole / TURN_CHARACTERS));
      const before = turns.whole;
      for (let number = 0; number < edited; number += 1) {
        fixture.put(`guidelines/p${number}.md`, `${page(number, 40_000)}edited\n`);
        await fixture.library.refresh(guidelines, `p${number}.md`);
      }
      expect((await search.search('edited', {}, 1)).total).to.equal(edited);
      expect(turns.whole - before).to.be.at.least(edited * 40_000);
      expect(turns.most).to.be.at.most(TURN_CHARACTERS);
    } finally {
      turns.stop();
      await fixture.dispose();
    }
  });
});
