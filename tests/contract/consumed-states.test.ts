import { expect } from 'chai';
import { describe, it } from 'mocha';
import { InMemoryConsumedStates } from '../../src/infrastructure/session/in-memory-consumed-states.js';
import { ManualTime } from '../support/manual-time.js';
import { consumedStatesContract } from './consumed-states-contract.js';

consumedStatesContract('InMemoryConsumedStates', () => new InMemoryConsumedStates(new ManualTime()));

describe('InMemoryConsumedStates is bounded', () => {
  it('makes room by forgetting what has expired, and accepts nothing more where nothing has', async () => {
    const time = new ManualTime();
    const states = new InMemoryConsumedStates(time);
    const soon = time.now() + 1000;
    for (let index = 0; index < 100_000; index += 1) await states.consume(`s${index}`, soon);
    expect(await states.consume('one more', soon)).to.equal(false);
    expect(await states.consume('s0', soon)).to.equal(false);
    time.advance(2000);
    expect(await states.consume('one more', time.now() + 1000)).to.equal(true);
  });
});
