import { expect } from 'chai';
import { it } from 'mocha';
import type { ConsentMemory } from '../../../src/application/ports/permission/consent-memory.js';
import type { ConsentSubject } from '../../../src/domain/permission/consent/consent-grant.js';
import { InMemoryConsentMemory } from '../../../src/infrastructure/permission/in-memory-consent-memory.js';
import { RedisConsentMemory } from '../../../src/infrastructure/redis/redis-consent-memory.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { bothWays, SYSTEM_CLOCK } from './both-ways.js';

const SUBJECT: ConsentSubject = {
  callerId: 'me',
  sessionId: 's-1',
  tool: 'delete_path',
  argumentDigest: 'aa',
  policyHash: 'p1',
};

bothWays<ConsentMemory>(
  'ConsentMemory',
  () => new InMemoryConsentMemory(SYSTEM_CLOCK),
  (store) => new RedisConsentMemory(store, new RecordingLogger()),
  (pair) => {
    it('recalls for the identical call, at any instance, and for no other', async () => {
      const [one, two] = pair();
      const until = Date.now() + 60_000;
      await one.remember(SUBJECT, until);
      expect(await two.recall({ ...SUBJECT })).to.be.within(until - 5000, until + 5000);
      for (const other of [
        { callerId: 'you' },
        { sessionId: 's-2' },
        { tool: 'x' },
        { argumentDigest: 'bb' },
        { policyHash: 'p2' },
      ])
        expect(await two.recall({ ...SUBJECT, ...other })).to.equal(undefined);
    });

    it('forgets when the time is over', async () => {
      const [one, two] = pair();
      await one.remember(SUBJECT, Date.now() + 30);
      await eventually('it is forgotten', async () => (await two.recall(SUBJECT)) === undefined);
      await one.remember(SUBJECT, Date.now() - 1);
      expect(await two.recall(SUBJECT)).to.equal(undefined);
    });
  },
);
