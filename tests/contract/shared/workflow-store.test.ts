import { expect } from 'chai';
import { it } from 'mocha';
import type { WorkflowStore } from '../../../src/application/ports/session/workflow-store.js';
import type { WorkflowContext } from '../../../src/domain/session/workflow-context.js';
import { RedisWorkflowStore } from '../../../src/infrastructure/redis/redis-workflow-store.js';
import { InMemoryWorkflowStore } from '../../../src/infrastructure/session/in-memory-workflow-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { bothWays, SYSTEM_CLOCK } from './both-ways.js';

function workflow(id: string, sessionId = 's'): WorkflowContext {
  return {
    id,
    sessionId,
    callerId: 'me',
    promptName: 'review',
    promptArgs: { topic: 'x' },
    toolResults: new Map(),
    createdAt: 5,
  };
}

bothWays<WorkflowStore>(
  'WorkflowStore',
  () => new InMemoryWorkflowStore(SYSTEM_CLOCK),
  (store) => new RedisWorkflowStore(store, new RecordingLogger()),
  (pair) => {
    it('is found at any instance with all that belongs to it', async () => {
      const [one, two] = pair();
      await one.add(workflow('wf_1'));
      await two.record('wf_1', 'echo', { deep: ['x', 1] });
      await one.record('wf_1', 'list', 'text');
      await two.record('wf_1', 'echo', 'again');
      const found = await two.find('wf_1');
      expect(found).to.deep.include({ ...workflow('wf_1'), toolResults: found?.toolResults });
      expect([...(found?.toolResults ?? [])]).to.deep.equal([
        ['list', 'text'],
        ['echo', 'again'],
      ]);
      expect(await two.find('wf_2')).to.equal(undefined);
      await one.record('wf_2', 'echo', 'nowhere');
      expect(await one.find('wf_2')).to.equal(undefined);
    });

    it('knows the latest of a session, whichever instance began it', async () => {
      const [one, two] = pair();
      expect(await two.latest('s')).to.equal(undefined);
      await one.add(workflow('wf_1'));
      await eventually('the other has heard', async () => (await two.latest('s')) === 'wf_1');
      await two.add(workflow('wf_2'));
      await eventually('the first has heard', async () => (await one.latest('s')) === 'wf_2');
      expect(await one.latest('other')).to.equal(undefined);
    });

    it('keeps the last fifty results', async () => {
      const [one, two] = pair();
      await one.add(workflow('wf_1'));
      for (let n = 0; n < 60; n += 1) await one.record('wf_1', `t${n}`, n);
      const names = [...((await two.find('wf_1'))?.toolResults.keys() ?? [])];
      expect([names.length, names[0], names.at(-1)]).to.deep.equal([50, 't10', 't59']);
    });
  },
);
