import { expect } from 'chai';
import { describe, it } from 'mocha';
import { TURN_CHARACTERS } from '../../../src/application/ports/system/turns.js';
import { ImmediateTurns } from '../../../src/infrastructure/system/immediate-turns.js';

describe('Turns of long work', () => {
  it('hold one long piece each, also where many wait at once', async () => {
    const turns = new ImmediateTurns();
    let turn = 0;
    let ended = false;
    const tick = () => {
      turn += 1;
      if (!ended) setImmediate(tick);
    };
    setImmediate(tick);
    const taken: number[] = [];
    const pieces = Array.from({ length: 10 }, async () => {
      await turns.take(TURN_CHARACTERS);
      taken.push(turn);
    });
    await Promise.all(pieces);
    ended = true;
    expect(new Set(taken).size).to.equal(10);
  });

  it('are shared by short pieces', async () => {
    const turns = new ImmediateTurns();
    let waited = false;
    setImmediate(() => {
      waited = true;
    });
    for (let piece = 0; piece < 10; piece += 1) await turns.take(Math.floor(TURN_CHARACTERS / 10));
    expect(waited).to.equal(false);
  });
});
