import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { AuditLine } from '../../../src/infrastructure/observability/audit-line.js';
import { AuditSeal } from '../../../src/infrastructure/observability/audit-seal.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
import { SwitchableRedactor } from '../../../src/infrastructure/observability/switchable-redactor.js';
import { auditedCall } from '../../support/audit-fixture.js';

const KEY = '0123456789abcdef'.repeat(4);
const plain = new AuditSeal(KEY);

class CountingSeal extends AuditSeal {
  digests = 0;

  override readonly pseudonym = (text: string): string => {
    this.digests += 1;
    return plain.pseudonym(text);
  };
}

const SHORT = { path: 'a.txt', content: 'x'.repeat(1000), line: 3, all: true };
const LONG = { path: 'a.txt', content: 'x'.repeat(1_000_000) };
const NESTED = { path: 'a.txt', edits: [{ old: 'a', new: 'b' }] };

function lines() {
  const seal = new CountingSeal(KEY);
  return { seal, line: new AuditLine(seal, builtinRedactor) };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

describe('AuditLine', () => {
  for (const [kind, args, atOnce, afterTheTurn] of [
    ['short arguments when somebody asks', SHORT, 0, 0],
    ['no arguments when somebody asks', undefined, 0, 0],
    ['long arguments when the turn is over', LONG, 0, 1],
    ['arguments that are not plain at once', NESTED, 1, 1],
    ['arguments that are no object at once', ['a'], 1, 1],
  ] as const) {
    it(`digests ${kind}, and once`, async () => {
      const { seal, line } = lines();
      const words = line.wording(auditedCall({ arguments: args }));
      expect(seal.digests).to.equal(atOnce);
      await turn();
      expect(seal.digests).to.equal(afterTheTurn);
      expect(words()).to.include('"hmac":').and.to.equal(words());
      expect(seal.digests).to.equal(1);
    });
  }

  it('says the same of arguments whenever they are digested', async () => {
    for (const args of [SHORT, LONG, NESTED]) {
      const { line } = lines();
      const [now, later] = [1, 2].map(() => line.wording(auditedCall({ arguments: { ...args } })));
      const said = now?.();
      await turn();
      expect(later?.()).to.equal(said);
    }
  });

  it('tells what a call was given, whatever its caller does with the object afterwards', async () => {
    const { line } = lines();
    const args = { path: 'a.txt' };
    const words = line.wording(auditedCall({ arguments: args }));
    args.path = 'b.txt';
    const [before, after] = ['a.txt', 'b.txt'].map((path) =>
      line.wording(auditedCall({ arguments: { path } }))(),
    );
    expect(words()).to.equal(before).and.not.to.equal(after);
  });

  it('redacts by the rules that hold when the call is made', () => {
    const redactor = new SwitchableRedactor();
    const line = new AuditLine(new AuditSeal(KEY), redactor);
    const secret = `ghp_${'a1B2'.repeat(10)}`;
    const words = line.wording(auditedCall({ argumentDetail: 'full', arguments: { text: secret } }));
    redactor.use({ text: (text) => text, value: () => secret });
    expect(words()).not.to.include(secret);
  });

  it('keeps no long arguments beyond the turn', async () => {
    const { line } = lines();
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    // Letters of their own for each, or they would share one text.
    const words = Array.from({ length: 50 }, (_, index) =>
      line.wording(auditedCall({ arguments: { content: `${index} `.repeat(100_000) } })),
    );
    await turn();
    await turn();
    expect(heap() - before).to.be.lessThan(5_000_000);
    expect(words.every((say) => say().includes('"hmac":'))).to.equal(true);
  });
});
