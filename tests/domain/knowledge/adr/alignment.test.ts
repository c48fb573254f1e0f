import { expect } from 'chai';
import { AdrGraph } from '../../../../src/domain/knowledge/adr/adr-graph.js';
import { inheriting } from '../../../../src/domain/knowledge/adr/adr-position.js';
import { compare } from '../../../../src/domain/knowledge/adr/alignment.js';
import {
  judged,
  positionIn as position,
  acceptedRecord as RECORD,
} from '../../../support/judged-proposal.js';

const MADR = (options: readonly string[], chosen: string, title = 'Broker of the events') =>
  `# ${title}\n\n- Status: accepted\n\n## Considered Options\n\n${options.map((option) => `* ${option}`).join('\n')}\n\n## Decision Outcome\n\nChosen option: "${chosen}", because of replay.\n`;
const KAFKA = MADR(['Kafka', 'RabbitMQ', 'Amazon SQS: cheap, but no replay', 'Do nothing'], 'Kafka');

describe('Alignment of a proposal with the options of one decision', () => {
  const CASES: readonly (readonly [string, string, 'conflicts' | 'supports' | undefined])[] = [
    ['an option that was not chosen', 'Use RabbitMQ for events.', 'conflicts'],
    ['its name before what is said of it', 'We will send all events through Amazon SQS.', 'conflicts'],
    ['a team that wants it', 'The billing team would like to use RabbitMQ for invoices.', 'conflicts'],
    ['a move to it', 'Move the events to RabbitMQ.', 'conflicts'],
    ['a replacement by it', 'Replace Kafka with RabbitMQ.', 'conflicts'],
    ['the chosen option as a destination', 'Publish the events of the new service to Kafka.', 'supports'],
    ['the chosen option as what is taken', 'Use Kafka for the events of the new service.', 'supports'],
    ['a move away from a rejected one', 'Migrate the last events from RabbitMQ to Kafka.', 'supports'],
    ['agreement by "rather than"', 'Use Kafka rather than RabbitMQ for events.', 'supports'],
    ['agreement by "not"', 'Use Kafka, not RabbitMQ.', 'supports'],
    ['a question', 'Should we use RabbitMQ for events?', undefined],
    ['a comparison', 'Compare RabbitMQ with Kafka for events.', undefined],
    ['upkeep', 'Remove the last RabbitMQ client.', undefined],
    ['a thing in passing', 'Write a guide, although the team knows RabbitMQ.', undefined],
    ['half of a name', 'Use Amazon S3 for attachments.', undefined],
    ['nothing that is listed', 'Use NATS for events.', undefined],
    ['to change nothing', 'Do nothing about events.', undefined],
  ];
  for (const [what, proposal, verdict] of CASES) {
    it(`S3-34: says ${verdict ?? 'nothing'} of ${what}`, async () => {
      expect((await judged(KAFKA, proposal))?.verdict).to.equal(verdict);
    });
  }

  it('S3-33: quotes the line of the record and the sentence of the proposal, both as they stand', async () => {
    expect(await judged(KAFKA, 'Simplify. Use Amazon SQS for events.')).to.deep.equal({
      verdict: 'conflicts',
      reason: 'The proposal chooses an option that this record lists as rejected.',
      evidence: { quote: 'Amazon SQS: cheap, but no replay', line: 9 },
      proposed: 'Use Amazon SQS for events.',
    });
  });

  it('reads a sentence that names what was rejected', async () => {
    const record = RECORD('Events go to Kafka. RabbitMQ and NATS were evaluated and rejected.');
    const finding = await judged(record, 'Send events through NATS.');
    expect(finding?.evidence).to.deep.equal({
      quote: 'RabbitMQ and NATS were evaluated and rejected.',
      line: 9,
    });
  });

  it('claims nothing of what prose says in other ways', async () => {
    for (const prose of [
      'We decided for Kafka and neglected RabbitMQ.',
      'Orders use Kafka rather than RabbitMQ.',
      'RabbitMQ must not be used for events that need replay.',
    ]) {
      expect(await judged(RECORD(prose), 'Use RabbitMQ for events.')).to.equal(undefined);
    }
  });

  it('S3-34: a successor gives up what its predecessor had chosen, unless it chose it again', async () => {
    const old = await position(MADR(['Twilio', 'Vonage'], 'Twilio', 'Reminders'));
    const text = MADR(['MessageBird', 'Sinch'], 'MessageBird', 'Reminders');
    const head = inheriting(await position(text, '0002-y.md'), [old]);
    expect(compare('Send reminders through Twilio again.', head)).to.deep.include({
      verdict: 'conflicts',
      reason: 'The proposal chooses what this record replaced.',
    });
    const same = inheriting(await position(MADR(['Twilio', 'Sinch'], 'Twilio'), '0002-y.md'), [old]);
    expect(compare('Send reminders through Twilio again.', same)?.verdict).to.equal('supports');
  });

  for (const [dialect, text] of [
    [
      'MADR without a status',
      '# Broker\n\n## Considered Options\n\n* Kafka\n* RabbitMQ\n\n## Decision Outcome\n\nChosen option: "Kafka", because of replay.\n',
    ],
    [
      'KEP',
      '---\nstatus: implemented\n---\n# KEP-1: Broker\n\n## Proposal\n\nOrders go to Kafka.\n\n## Alternatives\n\n### RabbitMQ\n\nReplay is hard.\n',
    ],
    [
      'a heading of its own words',
      '# Broker\n\n**Status:** Accepted\n\n## What we do\n\nOrders go to Kafka.\n\n## What we looked at and did not take\n\n- RabbitMQ\n',
    ],
    [
      'bold labels',
      '# Broker\n\n**Status:** Accepted\n\n**Decision:** We use Kafka for orders. RabbitMQ was ruled out.\n',
    ],
  ] as const) {
    it(`reads what was turned down in ${dialect}`, async () => {
      const record = await position(text);
      expect(new AdrGraph([record.record]).statusOf(record.record)).to.equal('accepted');
      expect((await judged(text, 'Use RabbitMQ as the broker of orders.'))?.verdict).to.equal('conflicts');
    });
  }
});
