import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CommandTurns } from '../../../../../src/infrastructure/command/git/settings/command-turns.js';

describe('CommandTurns', () => {
  it('lets commands run beside each other, and none alone beside those that last', async () => {
    const turns = new CommandTurns(1);
    const first = await turns.enter(false);
    expect((await turns.enter(false)).isAlone).to.equal(false);
    expect((await turns.enter(true)).isAlone).to.equal(false);
    first.leave();
  });

  it('waits for those that are soon over', async () => {
    const turns = new CommandTurns(60_000);
    const [first, second] = [await turns.enter(false), await turns.enter(false)];
    const alone = turns.enter(true);
    first.leave();
    second.leave();
    expect((await alone).isAlone).to.equal(true);
  });

  it('keeps every other command waiting while one is alone', async () => {
    const turns = new CommandTurns(1);
    const alone = await turns.enter(true);
    expect(alone.isAlone).to.equal(true);
    const begun: string[] = [];
    const others = ['one', 'two'].map(async (name) => {
      const turn = await turns.enter(name === 'two');
      begun.push(`${name} ${turn.isAlone}`);
      return turn;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).to.deep.equal([]);
    alone.leave();
    for (const turn of await Promise.all(others)) turn.leave();
    expect(begun).to.deep.equal(['one false', 'two false']);
    expect((await turns.enter(true)).isAlone).to.equal(true);
  });

  it('counts a turn that is given back twice once', async () => {
    const turns = new CommandTurns(1);
    const [first, second] = [await turns.enter(false), await turns.enter(false)];
    first.leave();
    first.leave();
    expect((await turns.enter(true)).isAlone).to.equal(false);
    second.leave();
  });
});
