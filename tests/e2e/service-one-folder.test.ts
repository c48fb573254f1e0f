import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { eventually } from '../support/eventually.js';
import { type HttpClient, messagesOf } from '../support/http-client.js';
import { Service } from '../support/service.js';

const POLICY = `extends: [builtin:workspace]
defaults: { rate: { limit: 1000000/min }, limits: { concurrency: 64 } }
`;
const WORDS = Array.from({ length: 40 }, (_, n) => `word${n};`);

describe('instances on several machines and one folder', function () {
  this.timeout(120_000);
  let service: Service;
  let client: HttpClient;

  before(async () => {
    service = await Service.start({ policy: POLICY, instances: 0 });
    for (const name of ['one', 'two', 'three']) {
      // What a machine has of its own.
      const home = join(service.folder, name);
      mkdirSync(home);
      await service.add({ HOME: home });
    }
    client = service.client();
    await client.open();
  });
  after(() => service?.stop());

  const read = () => readFileSync(join(service.workspace, 'words.txt'), 'utf8');
  const edit = (id: number, from: string, to: string) => {
    const args = { path: 'words.txt', edits: [{ old_text: from, new_text: to }] };
    const params = { name: 'edit_file', arguments: args };
    return client.post({ jsonrpc: '2.0', id, method: 'tools/call', params });
  };

  it('lose no edit that was answered, however many change one file at once', async () => {
    await client.call(1, 'write_file', { path: 'words.txt', content: `${WORDS.join('\n')}\n` });
    const answers = await Promise.all(WORDS.map((word, n) => edit(10 + n, word, `done${n};`)));
    const done = answers.flatMap(({ text }, n) => (text.includes('"isError":true') ? [] : [`done${n};`]));
    expect(done).to.have.length.above(WORDS.length / 2);
    expect(read().match(/done\d+;/g)).to.have.members(done);
  });

  it('leave a file as it is that another may be changing, while Redis is away', async () => {
    await client.call(2, 'write_file', { path: 'words.txt', content: 'before\n' });
    await service.redis.pause();
    const [refused] = messagesOf(await edit(3, 'before', 'after'));
    expect(JSON.stringify(refused)).to.contain('Redis does not answer');
    expect(read()).to.equal('before\n');
    await service.redis.restart();
    await eventually('it is edited', async () => {
      await edit(4, 'before', 'after');
      return read() === 'after\n';
    });
  });
});
