import { expect } from 'chai';
import { it } from 'mocha';
import type { InstanceLink } from '../../../src/application/ports/session/instance-link.js';
import { RedisInstanceLink } from '../../../src/infrastructure/redis/redis-instance-link.js';
import { InProcessInstanceLink } from '../../../src/infrastructure/session/in-process-instance-link.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { bothWays } from './both-ways.js';

bothWays<InstanceLink>(
  'InstanceLink',
  () => new InProcessInstanceLink(),
  (store) => new RedisInstanceLink(store, new RecordingLogger()),
  (pair) => {
    it('takes a request to another instance and its answer back, in parts and in order', async () => {
      const [one, two] = pair();
      two.serve({
        request: async (body, answer) => {
          for (let n = 0; n < 50; n += 1) answer(`${body}${n}`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          answer('last');
        },
        message: () => undefined,
      });
      const parts: string[] = [];
      expect(await one.ask(two.self, 'part', (part) => parts.push(part))).to.equal('answered');
      expect(parts).to.deep.equal([...Array.from({ length: 50 }, (_, n) => `part${n}`), 'last']);
    });

    it('says that an instance is gone and has begun nothing', async () => {
      const [one] = pair();
      expect(await one.isAlive(one.self)).to.equal(true);
      expect(await one.isAlive('nobody')).to.equal(false);
      expect(await one.ask('nobody', 'x', () => expect.fail())).to.equal('not-delivered');
    });

    it('carries messages that want no answer', async () => {
      const [one, two] = pair();
      const heard: string[] = [];
      two.serve({ request: async () => undefined, message: (body) => heard.push(body) });
      one.tell(two.self, 'hello');
      await eventually('it is heard', () => heard.length === 1);
      expect(heard).to.deep.equal(['hello']);
    });
  },
);
