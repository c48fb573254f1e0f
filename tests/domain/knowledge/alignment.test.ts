import { expect } from 'chai';
import { AdrGraph } from '../../../src/domain/knowledge/adr-graph.js';
import { parseAdr } from '../../../src/domain/knowledge/adr-record.js';
import { type AdrPosition, positionOf } from '../../../src/domain/knowledge/adr-stance.js';
import { alignProposal } from '../../../src/domain/knowledge/alignment.js';
import { DecisionProposal } from '../../../src/domain/knowledge/decision-proposal.js';
import { readMarkdown } from '../../../src/infrastructure/knowledge/markdown-reader.js';
import { LABELLED_DECISIONS } from '../../support/labelled-decisions.js';
import { LABELLED_PROPOSALS } from '../../support/labelled-proposals.js';

const read = new WeakMap<object, Promise<readonly AdrPosition[]>>();

function positions(files: Readonly<Record<string, string>>): Promise<readonly AdrPosition[]> {
  const known = read.get(files) ?? readAll(files);
  read.set(files, known);
  return known;
}

async function readAll(files: Readonly<Record<string, string>>) {
  return Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const { content } = await readMarkdown(path, text);
      return positionOf(parseAdr({ ...content, path, uri: `architecture://adr/${path}` }));
    }),
  );
}

async function align(files: Readonly<Record<string, string>>, description: string, context?: string) {
  const all = await positions(files);
  const graph = new AdrGraph(all.map(({ record }) => record));
  return alignProposal(new DecisionProposal(description, context), all, graph);
}

const conflictsOf = async (description: string) =>
  (await align(LABELLED_DECISIONS, description)).filter(({ verdict }) => verdict === 'conflicts');

describe('Alignment of a proposal with decision records', () => {
  it('S3-34: finds conflicts in labelled proposals with precision 0.9 and recall 0.7', async () => {
    let hits = 0;
    let wrong = 0;
    let wanted = 0;
    const misses: string[] = [];
    for (const { text, conflicts } of LABELLED_PROPOSALS) {
      const found = (await conflictsOf(text)).map(({ record }) => record.number ?? 0);
      wanted += conflicts.length;
      hits += found.filter((number) => conflicts.includes(number)).length;
      wrong += found.filter((number) => !conflicts.includes(number)).length;
      if (found.join() !== conflicts.join()) misses.push(`${text} wanted ${conflicts} got ${found}`);
    }
    expect(LABELLED_PROPOSALS.length).to.be.at.least(40);
    expect(Object.keys(LABELLED_DECISIONS).length).to.be.at.least(30);
    expect(hits / (hits + wrong), misses.join('\n')).to.be.at.least(0.9);
    expect(hits / wanted, misses.join('\n')).to.be.at.least(0.7);
  });

  it('S3-33: quotes words that stand in the file at that line, whatever the verdict', async () => {
    for (const { text } of LABELLED_PROPOSALS) {
      for (const { record, evidence } of await align(LABELLED_DECISIONS, text)) {
        const line = record.source.text.split('\n')[evidence.line - 1];
        expect(line, `${record.id}:${evidence.line}`).to.include(evidence.quote);
        expect(evidence.quote.length).to.be.above(0);
      }
    }
  });

  it('never takes a superseded record for the conflict, but the record in its place', async () => {
    for (const { text } of LABELLED_PROPOSALS) {
      for (const { status } of await conflictsOf(text)) expect(status).to.equal('accepted');
    }
    expect((await conflictsOf('Offer partners REST APIs.')).map(({ record }) => record.id)).to.deep.equal([
      'ADR-0012',
    ]);
  });

  it('S3-49: says related where it cannot tell, and supports where both take the same', async () => {
    const verdicts = async (text: string, number: number) =>
      (await align(LABELLED_DECISIONS, text)).find(({ record }) => record.number === number)?.verdict;
    expect(await verdicts('We will store invoices in PostgreSQL.', 1)).to.equal('supports');
    expect(await verdicts('Add an index to the order table to speed up the order history.', 32)).to.equal(
      'related',
    );
    expect(await verdicts('Build a mobile application with Flutter.', 30)).to.equal('related');
  });

  it("takes back a conflict where an amendment took the proposal's side", async () => {
    const files = {
      ...LABELLED_DECISIONS,
      '0040-catalogue.md':
        '# 40. Catalogue in MongoDB\n\n## Status\n\nAccepted\n\nAmends [1. Primary database](0001-primary-database.md)\n\n## Decision\n\nThe product catalogue is stored in MongoDB.\n',
    };
    const found = await align(files, 'Store product variants of the catalogue in MongoDB.');
    expect(found.filter(({ verdict }) => verdict === 'conflicts')).to.deep.equal([]);
    expect(found.find(({ record }) => record.number === 40)?.verdict).to.equal('supports');
  });

  it('quotes the line of a wrapped sentence that has the evidence', async () => {
    const files = {
      '0001-x.md':
        '# 1. Broker\n\n## Status\nAccepted\n\n## Decision\n\nAfter a long discussion\nwe will use Kafka for\nall events.\n',
    };
    const [conflict] = await align(files, 'Use RabbitMQ for events.');
    expect(conflict?.evidence).to.deep.equal({ quote: 'we will use Kafka for', line: 9 });
  });
});
