import { expect } from 'chai';
import { describe, it } from 'mocha';
import { budgetUnder, type CallBudget, DEFAULT_BUDGET } from '../../../src/application/call/call-budget.js';
import type { Obligations } from '../../../src/domain/permission/policy/obligations.js';
import { SILENT_OBLIGATIONS } from '../../support/silent-obligations.js';

/** What the tool wants, what the policy says, and what of the base budget changes. */
const TABLE: readonly (readonly [string, Partial<CallBudget>, Partial<Obligations>, Partial<CallBudget>])[] =
  [
    ['nothing where nobody says anything', {}, {}, {}],
    ['what the tool wants', { timeoutMs: 20_000, concurrency: 2 }, {}, { timeoutMs: 20_000, concurrency: 2 }],
    ['the grace of the tool', { graceMs: 5 }, {}, { graceMs: 5 }],
    ['less time by a default', {}, { limits: { timeoutMs: 1 } }, { timeoutMs: 1 }],
    ['no more time by a default', {}, { limits: { timeoutMs: 99_000 } }, {}],
    [
      'more time by an entry that names it',
      {},
      { limits: { timeoutMs: 99_000 }, timeoutNamed: true },
      { timeoutMs: 99_000 },
    ],
    [
      'the limits of the policy, smaller or larger',
      { maxOutputBytes: 5 },
      { limits: { maxOutputBytes: 7, concurrency: 1 } },
      { maxOutputBytes: 7, concurrency: 1 },
    ],
    [
      'the rate of the policy, whose burst is its limit',
      {},
      { rate: { per: 'principal', limit: 3, windowMs: 10 } },
      { rate: { limit: 3, perMs: 10, burst: 3 } },
    ],
    [
      'a rate that all callers share, with its burst and what becomes of calls that cannot be counted',
      {},
      { rate: { per: 'instance', limit: 3, windowMs: 10, burst: 9, onStoreFailure: 'deny' } },
      { rate: { limit: 3, perMs: 10, burst: 9, shared: true, onStoreFailure: 'deny' } },
    ],
    [
      'the breaker of the policy',
      {},
      { breaker: { failures: 1, openForMs: 2 } },
      { breaker: { failures: 1, openForMs: 2 } },
    ],
  ];

describe('The budget of a call', () => {
  for (const [title, tool, policy, changed] of TABLE) {
    it(`has ${title}`, () =>
      expect(budgetUnder(DEFAULT_BUDGET, tool, { ...SILENT_OBLIGATIONS, ...policy })).to.deep.equal({
        ...DEFAULT_BUDGET,
        ...changed,
      }));
  }
});
