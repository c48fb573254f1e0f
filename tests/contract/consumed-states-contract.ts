import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ConsumedStates } from '../../src/application/ports/session/consumed-states.js';

/** What every ConsumedStates must do. */
export function consumedStatesContract(name: string, make: () => ConsumedStates): void {
  describe(`${name} is a ConsumedStates`, () => {
    it('lets each state be used once, however many try at the same time', async () => {
      const states = make();
      const later = Date.now() + 60_000;
      const tries = await Promise.all(Array.from({ length: 20 }, () => states.consume('a', later)));
      expect(tries.filter(Boolean)).to.have.length(1);
      expect(await states.consume('a', later)).to.equal(false);
      expect(await states.consume('b', later)).to.equal(true);
    });

    it('seals with one secret that nobody can guess', async () => {
      const states = make();
      const key = await states.sealingKey();
      expect(key.length).to.be.at.least(32);
      expect(Buffer.from(await states.sealingKey())).to.deep.equal(Buffer.from(key));
    });
  });
}
