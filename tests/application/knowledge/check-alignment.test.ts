import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { getEncoding } from 'js-tiktoken';
import { type LabelledProposal, scoreAlignment } from '../../../bench/alignment-score.js';
import { ALIGNMENT_SETS, type AlignmentSet } from '../../support/alignment-sets.js';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';
import { LABELLED_DECISIONS } from '../../support/labelled-decisions.js';
import { LABELLED_PROPOSALS } from '../../support/labelled-proposals.js';

/** Seen while the rules were written: they show that nothing has become worse, not how good it is. */
const SEEN = [
  { name: 'labelled', decisions: LABELLED_DECISIONS, proposals: LABELLED_PROPOSALS },
  ...ALIGNMENT_SETS,
];

async function score({ decisions, proposals }: AlignmentSet) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-set-'));
  for (const [path, text] of Object.entries(decisions)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  // Whoever contradicts two records is asked about the first; the others would count as wrong claims.
  const single = proposals.filter(({ conflicts }) => conflicts.length < 2);
  const labelled = single.map(({ text, conflicts: [record] }): LabelledProposal => {
    return record === undefined ? { text, expected: 'related' } : { text, expected: 'conflict', record };
  });
  try {
    return await scoreAlignment(folder, labelled);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const adr = (title: string, status: string, decision: string) =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\n${decision}\n`;

describe('Checking a proposal against all records', () => {
  const sum = { claimed: 0, wanted: 0, first: 0 };
  for (const set of SEEN) {
    it(`S3-34: claims no wrong conflict in the ${set.name} set and shows the record first`, async () => {
      const { claimed, right, wanted, first, misled, misquoted, notes } = await score(set);
      const said = notes.join('\n');
      sum.claimed += claimed;
      sum.wanted += wanted;
      sum.first += first * wanted;
      expect(claimed - right, said).to.equal(0);
      expect(misled, said).to.equal(0);
      expect(misquoted, said).to.equal(0);
    });
  }

  it('S3-34: has the right record among the first three of 95 in 100, and claims something', () => {
    expect(sum.wanted).to.be.above(300);
    expect(sum.first / sum.wanted).to.be.at.least(0.95);
    expect(sum.claimed).to.be.at.least(25);
  });

  describe('with a few records', () => {
    let fixture: KnowledgeFixture;

    beforeEach(() => {
      fixture = new KnowledgeFixture([category('adr')]);
      fixture.put(
        'adr/0001-broker.md',
        adr('1. Broker', 'Accepted', 'Events go to Kafka. RabbitMQ was rejected.'),
      );
      fixture.put('adr/0002-orders.md', adr('2. Orders', 'Accepted', 'Orders are kept for ten years.'));
    });
    afterEach(() => fixture.dispose());

    const ask = async (decision_description: string) => {
      const answer = await fixture.alignment.handle({ decision_description });
      if (!answer.success) throw new Error(answer.error.message);
      return answer.value;
    };

    it('S3-33: returns the decision whole, with its address, and both sentences of a conflict', async () => {
      const { related_adrs: related, conflicts, suggestions } = await ask('Send events through RabbitMQ.');
      expect(related[0]).to.deep.include({
        uri: 'architecture://adr/0001',
        adr_id: 'ADR-0001',
        title: 'Broker',
        status: 'accepted',
        alignment: 'conflicts',
        source: 'rules',
        anchor: 'decision',
        decision: '## Decision\n\nEvents go to Kafka. RabbitMQ was rejected.',
      });
      expect(conflicts).to.have.lengthOf(1);
      expect(conflicts[0]).to.deep.include({
        adr_uri: 'architecture://adr/0001',
        quote: 'RabbitMQ was rejected.',
        proposal_quote: 'Send events through RabbitMQ.',
      });
      expect(suggestions[0]).to.include('ADR-0001');
    });

    for (const status of ['Proposed', 'Rejected', 'Deprecated', 'Withdrawn', 'Reverted', 'Superseded']) {
      it(`S3-34: a record that is ${status.toLowerCase()} neither conflicts nor supports`, async () => {
        fixture.put(
          'adr/0001-broker.md',
          adr('1. Broker', status, 'Events go to Kafka. RabbitMQ was rejected.'),
        );
        for (const proposal of ['Send events through RabbitMQ.', 'Send events to Kafka.']) {
          const verdicts = (await ask(proposal)).related_adrs.map(({ alignment }) => alignment);
          expect(verdicts).to.deep.equal(verdicts.map(() => 'related'));
          expect(verdicts).not.to.have.lengthOf(0);
        }
      });
    }

    it('S3-34: judges a superseded record by the one in its place', async () => {
      fixture.put('adr/0001-broker.md', adr('1. Use Kafka for events', 'Accepted', 'Events go to Kafka.'));
      fixture.put(
        'adr/0003-broker.md',
        adr('3. Use Pulsar', 'Accepted. Supersedes 0001', 'Events go to Pulsar.'),
      );
      const { related_adrs: related, conflicts } = await ask('Send events to Kafka.');
      expect(conflicts.map(({ adr_uri }) => adr_uri)).to.deep.equal(['architecture://adr/0003']);
      expect(related.find(({ adr_id: id }) => id === 'ADR-0001')).to.deep.include({
        status: 'superseded',
        alignment: 'related',
        reason: 'Superseded; ADR-0003 stands in its place.',
      });
    });

    it('says that a status was inferred', async () => {
      fixture.put(
        'adr/0004-cache.md',
        '# Cache\n\n## Considered Options\n\n* Redis\n* Memcached\n\n## Decision Outcome\n\nChosen option: "Redis", because it is fast.\n',
      );
      const { related_adrs: related } = await ask('Use Memcached as the cache.');
      expect(related[0]).to.deep.include({
        status: 'accepted',
        status_inferred: true,
        alignment: 'conflicts',
      });
    });

    it('S3-34: answers with at most five records in at most 2,500 tokens, however long they are', async () => {
      for (const number of [3, 4, 5, 6, 7, 8, 9]) {
        const long = `Events ${'of every kind '.repeat(300)}go to Kafka in order.\n\n`.repeat(5);
        fixture.put(`adr/000${number}-long.md`, adr(`${number}. Events of kind ${number}`, 'Accepted', long));
      }
      const report = await ask('Send events of every kind to Kafka.');
      expect(report.related_adrs).to.have.lengthOf(5);
      expect(report.related_adrs.every(({ decision }) => decision?.includes('[Goes on: read'))).to.equal(
        true,
      );
      expect(getEncoding('o200k_base').encode(JSON.stringify(report)).length).to.be.at.most(2500);
    });

    it('cuts a long decision at a paragraph and says where it goes on', async () => {
      const long = Array.from(
        { length: 300 },
        (_, index) => `Events of kind ${index} go to Kafka, in order.`,
      );
      fixture.put('adr/0005-long.md', adr('5. Long events', 'Accepted', long.join('\n\n')));
      const found = (await ask('Long events of kind 7 in order')).related_adrs;
      const decision = found.find(({ adr_id: id }) => id === 'ADR-0005')?.decision ?? '';
      expect(decision.length).to.be.below(3200);
      expect(decision).to.match(/in order\.\n\n\[Goes on: read architecture:\/\/adr\/0005#decision\]$/);
    });
  });
});
