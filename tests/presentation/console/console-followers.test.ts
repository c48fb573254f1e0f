import { createServer, get, type Server } from 'node:http';
import { expect } from 'chai';
import { ConsoleFollowers } from '../../../src/presentation/console/console-followers.js';
import { eventually } from '../../support/eventually.js';

describe('ConsoleFollowers', () => {
  let server: Server;
  let followers: ConsoleFollowers;
  let looks: number;
  let version: () => string;
  let heard: string;
  beforeEach(async () => {
    [looks, heard, version] = [0, '', () => `v${looks}`];
    followers = new ConsoleFollowers({
      changes: async () => {
        looks += 1;
        return { version: version(), waiting: looks };
      },
    });
    server = createServer((_, response) => followers.add(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    followers.close();
    server.close();
    server.closeAllConnections();
  });

  const follow = () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return get({ host: '127.0.0.1', port }, (answer) =>
      answer.setEncoding('utf8').on('data', (part: string) => {
        heard += part;
      }),
    ).on('error', () => undefined);
  };
  const messages = () => heard.split('data: ').length - 1;

  it('sends one message for each look, however much has changed', async () => {
    follow();
    await eventually('three messages came', () => messages() >= 3);
    expect(messages()).to.be.at.most(looks);
    expect(heard).to.include('{"waiting":1}');
  });

  it('says nothing while nothing changes', async () => {
    version = () => 'same';
    follow();
    await eventually('it has looked often', () => looks >= 4);
    expect(messages()).to.equal(1);
  });

  it('looks at nothing when no page is open', async () => {
    const page = follow();
    await eventually('it has looked', () => looks > 0);
    page.destroy();
    await eventually('it has stopped looking', async () => {
      const before = looks;
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      return looks === before;
    });
  });
});
