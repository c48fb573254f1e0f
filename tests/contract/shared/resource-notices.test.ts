import { expect } from 'chai';
import { it } from 'mocha';
import type {
  ResourceNotice,
  ResourceNotices,
} from '../../../src/application/ports/resource/resource-notices.js';
import { CoalescingResourceNotices } from '../../../src/infrastructure/knowledge/coalescing-resource-notices.js';
import { RedisResourceNotices } from '../../../src/infrastructure/redis/redis-resource-notices.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { bothWays } from './both-ways.js';

const A: ResourceNotice = { kind: 'updated', uri: 'doc://a' };
const B: ResourceNotice = { kind: 'updated', uri: 'doc://b' };
const LIST: ResourceNotice = { kind: 'list-changed' };

bothWays<ResourceNotices>(
  'ResourceNotices',
  () => new CoalescingResourceNotices(),
  (store) => new RedisResourceNotices(store, new CoalescingResourceNotices(), new RecordingLogger()),
  (pair) => {
    const heardAt = (notices: ResourceNotices) => {
      const heard: ResourceNotice[] = [];
      const stop = notices.listen((notice) => heard.push(notice));
      return { heard, stop };
    };

    it('tells what one has noticed to the listeners of every instance, the same thing once', async () => {
      const [one, two] = pair();
      const listeners = [heardAt(one), heardAt(two)];
      for (let n = 0; n < 20; n += 1) {
        one.publish(A);
        one.publish(LIST);
      }
      for (const { heard } of listeners) {
        await eventually('both are heard', () => heard.length === 2);
        expect(heard).to.have.deep.members([A, LIST]);
      }
    });

    it('tells nothing more to a listener that stopped', async () => {
      const [one, two] = pair();
      const left = heardAt(two);
      const stays = heardAt(two);
      left.stop();
      one.publish(B);
      await eventually('the other one hears', () => stays.heard.length === 1);
      expect(left.heard).to.deep.equal([]);
    });
  },
);
