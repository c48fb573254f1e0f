import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { it } from 'mocha';
import { TokenAccount } from '../../../src/application/model/token-account.js';
import type { TokenLedger } from '../../../src/application/ports/model/token-ledger.js';
import type { Spending } from '../../../src/domain/model/token-spending.js';
import { FileTokenLedger } from '../../../src/infrastructure/model/file-token-ledger.js';
import { RedisTokenLedger } from '../../../src/infrastructure/redis/redis-token-ledger.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { SequentialIds } from '../../../src/testing/sequential-ids.js';
import { mustValue } from '../../support/sample-tool.js';
import { bothWays, SYSTEM_CLOCK } from './both-ways.js';

const RULE = { per: 'instance', limit: 100, windowMs: 3_600_000, onStoreFailure: 'deny' } as const;

bothWays<TokenLedger>(
  'TokenLedger',
  () => new FileTokenLedger(mkdtempSync(join(tmpdir(), 'castellan-tokens-')), '/w'),
  (store) => new RedisTokenLedger(store),
  (pair) => {
    it('never lets bookings at once pass the limit together, and counts what calls really cost', async () => {
      const accounts = pair().map(
        (ledger, n) =>
          new TokenAccount(ledger, SYSTEM_CLOCK, new SequentialIds(`b${n}-`), new RecordingLogger()),
      );
      const booked = await Promise.all(
        Array.from({ length: 40 }, (_, n) => accounts[n % 2]?.book([RULE], `caller${n % 3}`, 10)),
      );
      const granted = booked.filter((each) => each?.success);
      expect(granted).to.have.length(10);
      for (const each of granted) if (each?.success) await each.value.settle(5);
      const more = await Promise.all(Array.from({ length: 10 }, () => accounts[1]?.book([RULE], 'x', 10)));
      expect(more.filter((each) => each?.success)).to.have.length(5);
    });

    it('loses no change of two at once', async () => {
      const spending = (tokens: number): Spending => ({ at: Date.now(), caller: 'me', tokens });
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          pair()[n % 2 === 0 ? 0 : 1].update((spent) => [...spent, spending(n)]),
        ),
      );
      let all: readonly Spending[] = [];
      mustValue(
        await pair()[0].update((spent) => {
          all = spent;
          return spent;
        }),
      );
      expect(all.map(({ tokens }) => tokens).sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 30 }, (_, n) => n),
      );
    });
  },
);
