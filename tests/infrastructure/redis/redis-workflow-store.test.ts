import { expect } from 'chai';
import { after, describe, it } from 'mocha';
import { RedisWorkflowStore } from '../../../src/infrastructure/redis/redis-workflow-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { RedisStores } from '../../support/redis-stores.js';

describe('workflows in Redis', () => {
  const stores = new RedisStores();
  after(() => stores.stop());

  it('keep what comes after a result that is nested too deep for a script to read', async () => {
    await stores.start();
    const store = stores.instance();
    const workflows = new RedisWorkflowStore(store, new RecordingLogger());
    await store.open();
    const facts = { id: 'wf_1', sessionId: 's', callerId: 'c', promptName: 'p', promptArgs: {} };
    await workflows.add({ ...facts, toolResults: new Map(), createdAt: 1 });
    await workflows.record('wf_1', 'deep', JSON.parse('['.repeat(1500) + ']'.repeat(1500)));
    await workflows.record('wf_1', 'plain', { ok: true });
    expect((await workflows.find('wf_1'))?.toolResults.get('plain')).to.deep.equal({ ok: true });
  });
});
