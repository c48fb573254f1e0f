import { expect } from 'chai';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import type { Spending } from '../../../src/domain/model/token-spending.js';
import { RedisTokenLedger } from '../../../src/infrastructure/redis/redis-token-ledger.js';
import { RedisStores } from '../../support/redis-stores.js';
import { mustValue } from '../../support/sample-tool.js';

describe('the account of tokens in Redis', () => {
  const stores = new RedisStores();
  beforeEach(() => stores.start());
  afterEach(() => stores.closeStores());
  after(() => stores.stop());

  const ledgerOf = async () => {
    const store = stores.instance();
    await store.open();
    const ledger = new RedisTokenLedger(store);
    const spend = async (tokens: number) =>
      mustValue(await ledger.update((spent) => [...spent, { at: Date.now(), caller: 'me', tokens }]));
    const spent = async () => {
      let all: readonly Spending[] = [];
      mustValue(await ledger.update((known) => (all = known)));
      return all.map(({ tokens }) => tokens);
    };
    return { spend, spent, expire: () => store.command('DEL', store.key('tokens')) };
  };

  it('begins anew after it has expired', async () => {
    const { spend, spent, expire } = await ledgerOf();
    await spend(5);
    await expire();
    await spend(7);
    expect(await spent()).to.deep.equal([7]);
  });

  it('does not take an account that another instance began since for the one that has expired', async () => {
    const [one, two] = [await ledgerOf(), await ledgerOf()];
    await one.spend(5);
    await one.expire();
    await two.spend(7);
    await one.spend(1);
    expect(await two.spent()).to.deep.equal([7, 1]);
  });
});
