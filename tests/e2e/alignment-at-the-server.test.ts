import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const adr = (title: string, status: string, decision: string) =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\n${decision}\n`;

describe('check_adr_alignment at the built server', () => {
  useInstead(ENVELOPES);
  let project: CliWorkspace;
  let server: SpawnedServer;
  let count = 0;

  before(async () => {
    project = new CliWorkspace();
    project.write(
      'adr/0001-broker.md',
      adr('1. Use Kafka for events', 'Accepted', 'Events go to Kafka. RabbitMQ was rejected for events.'),
    );
    project.write(
      'adr/0002-mail.md',
      adr(
        '2. Use Postmark for mail',
        'Accepted\n\nSuperseded by [0003](0003-mail.md)',
        'Mail is sent through Postmark.',
      ),
    );
    project.write(
      'adr/0003-mail.md',
      adr('3. Use Mailgun for mail', 'Accepted', 'Mail is sent through Mailgun.'),
    );
    const config = project.write('castellan.yaml', 'categories: { adr: { dir: adr } }\n');
    server = project.serve(['--config', config]);
    await server.initialize();
  });
  after(() => project.remove());

  const check = async (decision_description: string) => {
    count += 1;
    const params = { name: 'check_adr_alignment', arguments: { decision_description } };
    const { result } = await server.request(count, 'tools/call', params);
    return JSON.stringify(isJsonObject(result) ? result : {}).replaceAll('\\', '');
  };

  it('S3-33: names the record, its status and verdict, and quotes both sides of a conflict', async () => {
    const said = await check('Send events to RabbitMQ.');
    for (const part of [
      'architecture://adr/0001',
      'ADR-0001',
      'Use Kafka for events',
      'accepted',
      'conflicts',
    ]) {
      expect(said).to.include(part);
    }
    expect(said)
      .to.include('Events go to Kafka. RabbitMQ was rejected for events.')
      .and.include('Send events to RabbitMQ.');
    expect(said).to.include('tell the user of any contradiction').and.include('is no approval');
    expect(said).to.include('supersedes ADR-0001');
  });

  it('S3-33: says supports where the proposal chooses what was chosen', async () => {
    const said = await check('Send the events of the new service to Kafka.');
    expect(said)
      .to.match(/supports/)
      .and.not.match(/"alignment":"conflicts"/);
  });

  it('S3-34: a record that says it was superseded is out of force, and its successor is judged', async () => {
    const back = await check('Send the mail through Postmark.');
    expect(back).to.include('superseded').and.include('ADR-0003 stands in its place');
    expect(back).to.include('"adr_uri":"architecture://adr/0003"');
    expect(back).not.to.include('"adr_uri":"architecture://adr/0002"');
  });

  it('S3-34: where nothing is claimed, the decision is shown whole', async () => {
    const said = await check('Measure how long mail takes.');
    expect(said)
      .to.include('Compare the proposal with this decision')
      .and.include('Mail is sent through Mailgun.');
  });
});
