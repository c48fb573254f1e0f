import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { AuditLine } from '../../../src/infrastructure/observability/audit-line.js';
import { AuditSeal } from '../../../src/infrastructure/observability/audit-seal.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
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

  it('keeps no long arguments beyond the turn', async () => {
    const { line } = lines();
    const keep = () => {
      const args = { content: 'y'.repeat(100_000) };
      return { words: line.wording(auditedCall({ arguments: args })), kept: new WeakRef(args) };
    };
    const { words, kept } = keep();
    // The first turn digests; what a WeakRef was asked for stays until the turn is over.
    await turn();
    await turn();
    collectGarbage();
    expect(kept.deref()).to.equal(undefined);
    expect(words()).to.include('"hmac":');
  });
});
