import { expect } from 'chai';
import { it } from 'mocha';
import type { ConsumedStates } from '../../../src/application/ports/session/consumed-states.js';
import { RedisConsumedStates } from '../../../src/infrastructure/redis/redis-consumed-states.js';
import { InMemoryConsumedStates } from '../../../src/infrastructure/session/in-memory-consumed-states.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { bothWays, SYSTEM_CLOCK } from './both-ways.js';

bothWays<ConsumedStates>(
  'ConsumedStates',
  () => new InMemoryConsumedStates(SYSTEM_CLOCK),
  (store) => new RedisConsumedStates(store, new RecordingLogger()),
  (pair) => {
    it('lets a state be used once, of a thousand that try at once at both instances', async () => {
      const later = Date.now() + 60_000;
      const tries = Array.from({ length: 1000 }, (_, n) => pair()[n % 2 === 0 ? 0 : 1].consume('a', later));
      expect((await Promise.all(tries)).filter(Boolean)).to.have.length(1);
      expect(await pair()[1].consume('b', later)).to.equal(true);
    });

    it('seals with the same secret at both', async () => {
      const [one, two] = pair();
      const key = await one.sealingKey();
      expect(key.length).to.be.at.least(32);
      expect(Buffer.from(await two.sealingKey())).to.deep.equal(Buffer.from(key));
    });
  },
);
