import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { expect } from 'chai';
import { it } from 'mocha';
import type { FileAccess } from '../../../src/application/ports/file/safe-file-system.js';
import { PathLocks } from '../../../src/infrastructure/file/write/path-locks.js';
import { RedisLocks } from '../../../src/infrastructure/redis/redis-locks.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { bothWays } from './both-ways.js';

const ACCESS: FileAccess = {
  guard: { mayRead: () => true, mayWrite: () => true },
  signal: new AbortController().signal,
};

/** Of a machine of its own: its tickets are seen by nobody else. */
const folder = () => mkdtempSync(join(tmpdir(), 'castellan-locks-'));

bothWays<PathLocks>(
  'PathLocks',
  () => new PathLocks(folder()),
  (store) => new PathLocks(folder(), new RedisLocks(store, new RecordingLogger())),
  (pair) => {
    it('lets one at a time build on what a file holds, wherever', async () => {
      let [inside, most, count] = [0, 0, 0];
      const addOne = async () => {
        inside += 1;
        most = Math.max(most, inside);
        const before = count;
        for (let n = 0; n < 5; n += 1) await others();
        count = before + 1;
        inside -= 1;
      };
      const turns = Array.from({ length: 40 }, (_, n) =>
        pair()[n % 2 === 0 ? 0 : 1].holding('/w/a file', true, ACCESS, addOne),
      );
      await Promise.all(turns);
      expect([most, count]).to.deep.equal([1, 40]);
    });

    it('does not make one file wait for another, nor keep a lock of work that failed', async () => {
      const [one, two] = pair();
      const nested = one.holding('/w/a', true, ACCESS, () =>
        two.holding('/w/b', true, ACCESS, async () => 'b'),
      );
      expect(await nested).to.equal('b');
      const failed = one.holding('/w/a', true, ACCESS, () => Promise.reject(new Error('it broke')));
      expect(await failed.catch((error: Error) => error.message)).to.equal('it broke');
      expect(await two.holding('/w/a', true, ACCESS, async () => 'free')).to.equal('free');
    });
  },
);
