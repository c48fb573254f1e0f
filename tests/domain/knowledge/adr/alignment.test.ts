import { expect } from 'chai';
import { AdrGraph } from '../../../../src/domain/knowledge/adr/adr-graph.js';
import { inheriting } from '../../../../src/domain/knowledge/adr/adr-position.js';
import { judge } from '../../../../src/domain/knowledge/adr/alignment.js';
import { readProposal } from '../../../../src/domain/knowledge/adr/proposal.js';
import { WordWeights } from '../../../../src/domain/knowledge/adr/word-weights.js';
import {
  judged,
  positionIn as position,
  acceptedRecord as RECORD,
} from '../../../support/judged-proposal.js';

const KAFKA = RECORD('We will use Kafka for events between services. RabbitMQ was rejected.');
const GATEWAY = RECORD('All calls to banks must go through the payment gateway.', '1. Banks');
const COVERAGE = RECORD('Every pull request needs at least 80 % coverage of lines.', '1. Coverage');

describe('Alignment of a proposal with one decision', () => {
  const CASES: readonly (readonly [string, string, string, boolean])[] = [
    ['a rejected option', KAFKA, 'Publish events with RabbitMQ.', true],
    ['agreement by "rather than"', KAFKA, 'We keep Kafka rather than RabbitMQ for events.', false],
    ['agreement by "not"', KAFKA, 'Publish events with Kafka, not with RabbitMQ.', false],
    ['a double refusal', GATEWAY, 'Never bypass the payment gateway for calls to banks.', false],
    ['"instead of"', KAFKA, 'Use NATS instead of Kafka for events.', true],
    ['"replace by"', KAFKA, 'Replace Kafka by NATS for events.', true],
    ['"drop"', KAFKA, 'Drop Kafka for events.', true],
    ['"without"', GATEWAY, 'Call the banks without the payment gateway.', true],
    ['keeping to the way', GATEWAY, 'The loan service calls banks through the payment gateway.', false],
    ['a question', KAFKA, 'Should we use RabbitMQ for events?', false],
    ['a comparison', KAFKA, 'Compare RabbitMQ with Kafka for events.', false],
    ['a thing in passing', KAFKA, 'Publish events with Kafka, although the team knows RabbitMQ.', false],
    ['a move away', KAFKA, 'Migrate the last events from RabbitMQ to Kafka.', false],
    ['a figure below the least', COVERAGE, 'Accept pull requests with 60 % coverage of lines.', true],
    ['a figure above the least', COVERAGE, 'Accept pull requests with 90 % coverage of lines.', false],
    [
      'one item of a forbidden list',
      RECORD('Log entries must never contain names, birth dates or insurance numbers.', '1. Logs'),
      'Log the insurance number on every failure.',
      true,
    ],
    [
      'what the rule exempts',
      RECORD('Unsigned firmware must never be installed; in the laboratory it is allowed.', '1. Firmware'),
      'Install unsigned firmware in the laboratory.',
      false,
    ],
    [
      'working without a thing',
      RECORD('Every page has to work without JavaScript.', '1. Pages'),
      'Enhance the page with JavaScript.',
      false,
    ],
    [
      'an alternative below its heading',
      '# 1. Admission\n\n## Status\n\nAccepted\n\n## Proposal\n\nPolicies are written in CEL.\n\n## Alternatives\n\n### Rego\n\nIts cost cannot be bounded.\n',
      'Write the admission policies in Rego.',
      true,
    ],
  ];
  for (const [what, record, proposal, isConflict] of CASES) {
    it(`S3-34: takes ${what} ${isConflict ? 'for a conflict' : 'for none'}`, async () => {
      const finding = await judged(record, proposal);
      expect(finding?.verdict === 'conflicts', JSON.stringify(finding)).to.equal(isConflict);
    });
  }

  it('S3-33: supports what the decision chose and conflicts with what it rejected, quoting both sentences whole', async () => {
    const support = await judged(KAFKA, 'We publish the events of the services to Kafka.');
    expect(support).to.deep.include({
      verdict: 'supports',
      evidence: { quote: 'We will use Kafka for events between services.', line: 9 },
      proposed: 'We publish the events of the services to Kafka.',
    });
    const conflict = await judged(KAFKA, 'Simplify. Publish events with RabbitMQ.');
    expect(conflict).to.deep.include({
      verdict: 'conflicts',
      evidence: { quote: 'RabbitMQ was rejected.', line: 9 },
      proposed: 'Publish events with RabbitMQ.',
    });
  });

  it('quotes a sentence over several lines as it stands in the file', async () => {
    const finding = await judged(
      RECORD('After a long discussion\nwe will use Kafka for\nall events, not RabbitMQ.'),
      'Use RabbitMQ for events.',
    );
    expect(finding?.evidence).to.deep.equal({
      quote: 'After a long discussion\nwe will use Kafka for\nall events, not RabbitMQ.',
      line: 9,
    });
  });

  it('takes a word that many records have for the environment, not for a choice', async () => {
    const record = await position(RECORD('We do not use Kubernetes for batch jobs.', '1. Batch'));
    const others = Array.from({ length: 10 }, () => new Set(['kubernet', 'batch', 'job']));
    const proposal = readProposal('Run the batch jobs on Kubernetes.');
    expect(judge(proposal, record, new WordWeights([record.topic]))?.verdict).to.equal('conflicts');
    expect(judge(proposal, record, new WordWeights([record.topic, ...others]))).to.equal(undefined);
  });

  it('lets the successor reject what its predecessor had chosen', async () => {
    const old = await position(RECORD('Reminders are sent through Twilio.', '1. Reminders'));
    const head = await position(
      RECORD('Reminders are sent through MessageBird.', '2. Reminders'),
      '0002-y.md',
    );
    const finding = judge(
      readProposal('Send reminders through Twilio again.'),
      inheriting(head, [old]),
      new WordWeights([old.topic, head.topic]),
    );
    expect(finding?.verdict).to.equal('conflicts');
    expect(finding?.evidence?.quote).to.equal('Reminders are sent through MessageBird.');
  });

  for (const [dialect, text] of [
    [
      'MADR without a status',
      '# Broker\n\n## Considered Options\n\n* Kafka\n* RabbitMQ\n\n## Decision Outcome\n\nChosen option: "Kafka", because of replay.\n',
    ],
    [
      'KEP',
      '---\nstatus: implemented\n---\n# KEP-1: Broker\n\n## Proposal\n\nOrders go to Kafka.\n\n## Alternatives\n\nRabbitMQ was turned down.\n',
    ],
    [
      'log4brains',
      '# Broker\n\n- Status: accepted\n- Date: 2024-01-01\n\n## Decision Outcome\n\nOrders use Kafka rather than RabbitMQ.\n',
    ],
    [
      'headings of one level',
      '# TITLE\nBroker\n# STATUS\nAccepted\n# DECISION\nWe use Kafka for orders. RabbitMQ is ruled out.\n',
    ],
    [
      'bold labels',
      '# Broker\n\n**Status:** Accepted\n\n**Decision:** We use Kafka for orders and decided against RabbitMQ.\n',
    ],
    [
      'prose',
      '# Broker for orders\n\n**Status:** Accepted\n\nFacing bursts, we decided for Kafka and neglected RabbitMQ, to achieve replay.\n',
    ],
  ] as const) {
    it(`reads what was turned down in ${dialect}`, async () => {
      const record = await position(text);
      expect(new AdrGraph([record.record]).statusOf(record.record)).to.equal('accepted');
      expect((await judged(text, 'Use RabbitMQ as the broker of orders.'))?.verdict).to.equal('conflicts');
    });
  }
});
