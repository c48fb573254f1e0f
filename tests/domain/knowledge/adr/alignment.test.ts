import { expect } from 'chai';
import { AdrGraph } from '../../../../src/domain/knowledge/adr/adr-graph.js';
import { parseAdr } from '../../../../src/domain/knowledge/adr/adr-record.js';
import { type AdrPosition, positionOf } from '../../../../src/domain/knowledge/adr/adr-stance.js';
import { alignProposal } from '../../../../src/domain/knowledge/adr/alignment.js';
import { DecisionProposal } from '../../../../src/domain/knowledge/adr/decision-proposal.js';
import { readMarkdown } from '../../../../src/infrastructure/knowledge/markdown-reader.js';
import { ALIGNMENT_SETS, type AlignmentSet } from '../../../support/alignment-sets.js';
import { LABELLED_DECISIONS } from '../../../support/labelled-decisions.js';
import { LABELLED_PROPOSALS } from '../../../support/labelled-proposals.js';

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

const SETS = [
  { name: 'labelled', decisions: LABELLED_DECISIONS, proposals: LABELLED_PROPOSALS },
  ...ALIGNMENT_SETS,
];

async function score({ decisions, proposals }: AlignmentSet) {
  let hits = 0;
  let wrong = 0;
  let wanted = 0;
  const misses: string[] = [];
  for (const { text, conflicts } of proposals) {
    const found = (await align(decisions, text))
      .filter(({ verdict }) => verdict === 'conflicts')
      .map(({ record }) => Number(/\d+/.exec(record.source.path)?.[0]));
    wanted += conflicts.length;
    hits += found.filter((number) => conflicts.includes(number)).length;
    wrong += found.filter((number) => !conflicts.includes(number)).length;
    if (found.toSorted().join() !== conflicts.toSorted().join())
      misses.push(`${text} wanted ${conflicts} got ${found}`);
  }
  return { precision: hits / (hits + wrong), recall: hits / wanted, misses: misses.join('\n') };
}

describe('Alignment of a proposal with decision records', () => {
  for (const set of SETS) {
    it(`S3-34: finds conflicts of the ${set.name} set with precision 0.9 and recall 0.7`, async () => {
      expect(set.proposals.length).to.be.at.least(25);
      const { precision, recall, misses } = await score(set);
      expect(precision, misses).to.be.at.least(0.9);
      expect(recall, misses).to.be.at.least(0.7);
    });
  }

  it('has at least forty proposals over at least thirty decisions in the set it was made with', () => {
    expect(LABELLED_PROPOSALS.length).to.be.at.least(40);
    expect(Object.keys(LABELLED_DECISIONS).length).to.be.at.least(30);
  });

  it('S3-33: quotes words that stand in the file at that line, whatever the verdict', async () => {
    for (const { decisions, proposals } of SETS) {
      for (const { text } of proposals) {
        for (const { record, evidence } of await align(decisions, text)) {
          const line = record.source.text.split('\n')[evidence.line - 1];
          expect(line, `${record.id}:${evidence.line}`).to.include(evidence.quote);
          expect(evidence.quote.length).to.be.above(0);
        }
      }
    }
  });

  it('never takes a superseded record for the conflict, but the record in its place', async () => {
    for (const { decisions, proposals } of SETS) {
      for (const { text } of proposals) {
        const found = await align(decisions, text);
        for (const { status, verdict } of found)
          if (verdict === 'conflicts') expect(status).to.equal('accepted');
      }
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

  const RECORD = (decision: string, title = '1. Events') =>
    ({ '0001-x.md': `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${decision}\n` }) as const;
  const KAFKA = RECORD('We will use Kafka for events between services. RabbitMQ was rejected.');
  const GATEWAY = RECORD('All calls to banks must go through the payment gateway.', '1. Banks');
  const CASES: readonly (readonly [string, Readonly<Record<string, string>>, string, boolean])[] = [
    ['a rejected option', KAFKA, 'Publish events with RabbitMQ.', true],
    [
      'another spelling of it',
      RECORD('We run services on Kubernetes, not on Nomad.'),
      'Replace k8s by Nomad.',
      true,
    ],
    ['agreement by "rather than"', KAFKA, 'We keep Kafka rather than RabbitMQ for events.', false],
    ['agreement by "not"', KAFKA, 'Publish events with Kafka, not with RabbitMQ.', false],
    ['a double refusal', GATEWAY, 'Never bypass the payment gateway for calls to banks.', false],
    ['"instead of"', KAFKA, 'Use NATS instead of Kafka for events.', true],
    ['"replace by"', KAFKA, 'Replace Kafka by NATS for events.', true],
    ['"no longer"', KAFKA, 'Events no longer go through Kafka.', true],
    ['"drop"', KAFKA, 'Drop Kafka for events.', true],
    ['"without"', GATEWAY, 'Call the banks without the payment gateway.', true],
    ['"directly"', GATEWAY, 'The loan service calls banks directly.', true],
    ['keeping to the way', GATEWAY, 'The loan service calls banks through the payment gateway.', false],
    ['a question', KAFKA, 'Should we use RabbitMQ for events?', false],
    ['a comparison', KAFKA, 'Compare RabbitMQ with Kafka for events.', false],
    ['a thing in passing', KAFKA, 'Publish events with Kafka, although the team knows RabbitMQ.', false],
    ['what others use', KAFKA, "Read events from the partner's RabbitMQ and publish them to Kafka.", false],
    ['a trial', KAFKA, 'Use RabbitMQ for events on developer laptops.', false],
    [
      'a place that is left out',
      RECORD('The API must not read files directly.', '1. API'),
      'Read files directly in the batch job, not in the API.',
      false,
    ],
    ['a move away', KAFKA, 'Migrate the last events from RabbitMQ to Kafka.', false],
    [
      'a figure below the least',
      RECORD('Every pull request needs at least 80 % coverage of lines.', '1. Coverage'),
      'Accept pull requests with 60 % coverage of lines.',
      true,
    ],
    [
      'a figure above the least',
      RECORD('Every pull request needs at least 80 % coverage of lines.', '1. Coverage'),
      'Accept pull requests with 90 % coverage of lines.',
      false,
    ],
  ];
  for (const [what, files, proposal, isConflict] of CASES) {
    it(`takes ${what} ${isConflict ? 'for a conflict' : 'for none'}`, async () => {
      const verdicts = (await align(files, proposal)).map(({ verdict }) => verdict);
      expect(verdicts.includes('conflicts'), verdicts.join()).to.equal(isConflict);
    });
  }

  for (const status of ['Proposed', 'Rejected', 'Deprecated', 'Withdrawn', 'Draft']) {
    it(`never conflicts with a record that is ${status.toLowerCase()}`, async () => {
      const files = { '0001-x.md': (KAFKA['0001-x.md'] ?? '').replace('Accepted', status) };
      const verdicts = (await align(files, 'Publish events with RabbitMQ.')).map(({ verdict }) => verdict);
      expect(verdicts).not.to.include('conflicts');
    });
  }

  for (const [dialect, text] of [
    [
      'MADR',
      '---\nstatus: accepted\n---\n# Broker\n\n## Considered Options\n\n* Kafka\n* RabbitMQ\n\n## Decision Outcome\n\nChosen option: "Kafka", because of replay.\n',
    ],
    [
      'KEP',
      '---\nstatus: implemented\n---\n# KEP-1: Broker\n\n## Proposal\n\nEvents go to Kafka.\n\n## Alternatives\n\nRabbitMQ was turned down.\n',
    ],
    [
      'log4brains',
      '# Broker\n\n- Status: accepted\n- Date: 2024-01-01\n\n## Decision Outcome\n\nWe use Kafka rather than RabbitMQ.\n',
    ],
    [
      'headings of one level',
      '# TITLE\nBroker\n# STATUS\nAccepted\n# DECISION\nWe use Kafka. RabbitMQ is ruled out.\n',
    ],
    [
      'bold labels',
      '# Broker\n\n**Status:** Accepted\n\n**Decision:** We use Kafka and decided against RabbitMQ.\n',
    ],
    [
      'prose',
      '# Broker\n\n**Status:** Accepted\n\nFacing bursts of events, we decided for Kafka and neglected RabbitMQ, to achieve replay.\n',
    ],
  ] as const) {
    it(`reads what was turned down in ${dialect}`, async () => {
      const verdicts = (await align({ '0001-x.md': text }, 'Use RabbitMQ for orders.')).map(
        ({ verdict }) => verdict,
      );
      expect(verdicts).to.deep.equal(['conflicts']);
    });
  }
});
