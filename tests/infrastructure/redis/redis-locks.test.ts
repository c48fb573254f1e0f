import { expect } from 'chai';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { RedisLocks } from '../../../src/infrastructure/redis/redis-locks.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { RedisStores } from '../../support/redis-stores.js';

describe('locks in Redis', () => {
  const stores = new RedisStores();
  beforeEach(() => stores.start());
  afterEach(() => stores.closeStores());
  after(() => stores.stop());

  const locksOf = async () => {
    const store = stores.instance();
    await store.open();
    return { store, locks: new RedisLocks(store, new RecordingLogger()) };
  };

  it('are free again when the instance that had them is gone', async () => {
    const [one, two] = [await locksOf(), await locksOf()];
    expect(await one.locks.take('a file')).to.have.property('release');
    expect(await two.locks.take('a file')).to.equal('taken');
    await one.store.close();
    expect(await two.locks.take('a file')).to.have.property('release');
  });

  it('are not given back by somebody who has lost them', async () => {
    const [one, two] = [await locksOf(), await locksOf()];
    const lost = await one.locks.take('a file');
    await two.store.command('DEL', two.store.key('instance', one.store.instance));
    expect(await two.locks.take('a file')).to.have.property('release');
    if (typeof lost === 'object') lost.release();
    expect(await one.locks.take('a file')).to.equal('taken');
  });

  it('cannot be taken while nobody can say who has them', async () => {
    const { locks } = await locksOf();
    await stores.server.stop();
    expect(await locks.take('a file')).to.equal('unavailable');
    await stores.server.restart();
  });
});
