import { expect } from 'chai';
import { Redis } from 'ioredis';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { CoalescingResourceNotices } from '../../../src/infrastructure/knowledge/coalescing-resource-notices.js';
import { RedisInstanceLink } from '../../../src/infrastructure/redis/redis-instance-link.js';
import { RedisResourceNotices } from '../../../src/infrastructure/redis/redis-resource-notices.js';
import { RedisSessionDirectory } from '../../../src/infrastructure/redis/redis-session-directory.js';
import { RedisWorkflowStore } from '../../../src/infrastructure/redis/redis-workflow-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { BlockablePort } from '../../support/blockable-port.js';
import { RedisStores } from '../../support/redis-stores.js';

describe('messages between instances', () => {
  const stores = new RedisStores();
  let port: BlockablePort | undefined;
  beforeEach(() => stores.start());
  afterEach(async () => {
    await stores.closeStores();
    await port?.close();
    port = undefined;
  });
  after(() => stores.stop());

  const linkOf = async (url?: string) => {
    const store = stores.instance(url === undefined ? {} : { url });
    const logger = new RecordingLogger();
    const link = new RedisInstanceLink(store, logger);
    new RedisSessionDirectory(store, 60_000);
    new RedisWorkflowStore(store, logger);
    new RedisResourceNotices(store, new CoalescingResourceNotices(), logger);
    link.serve({ request: async (body, answer) => answer(`${body}!`), message: () => undefined });
    await store.open();
    return { store, link };
  };

  it('that are none of theirs disturb nobody', async () => {
    const [one, two] = [await linkOf(), await linkOf()];
    const channels = ['sessions', 'workflows', 'notices', 'to:all', `to:${one.store.instance}`];
    for (const channel of channels)
      for (const text of ['nonsense', 'null', '5', '[]', '{', '{}']) await two.store.publish(channel, text);
    // Mocha would tell of anything that was thrown meanwhile.
    expect(await two.link.ask(one.link.self, 'still there', () => undefined)).to.equal('answered');
  });

  it('are given up where Redis has a listener that no instance stands behind any more', async () => {
    const { store, link } = await linkOf();
    const frozen = new Redis(stores.server.url);
    try {
      await frozen.subscribe(store.key('to:frozen'));
      expect(await link.ask('frozen', 'hello', () => undefined)).to.equal('lost');
    } finally {
      frozen.disconnect();
    }
  });

  it('arrive again at an instance whose connection for them fell silent without an end', async () => {
    port = await BlockablePort.open(stores.server.port);
    const [one, two] = [await linkOf(), await linkOf(port.url)];
    port.mute('subscribe');
    expect(await one.link.ask(two.link.self, 'hello', () => undefined)).to.equal('answered');
  });
});
