import { expect } from 'chai';
import { Result } from '../../../src/domain/result.js';
import { consoleCommand } from '../../../src/presentation/cli/console-command.js';
import { MemoryOutput } from '../../support/memory-output.js';

describe('castellan console', () => {
  const start = async (words: readonly string[] | undefined, pinSet = true) => {
    const left = [...(words ?? [])];
    const asked: string[] = [];
    const output = new MemoryOutput();
    let [links, served, closed] = [0, '', false];
    const next = async (question: string) => {
      asked.push(question);
      return left.shift();
    };
    const person = { show: () => undefined, ask: next, secret: next };
    const setup = {
      pinSet,
      unlock: async (pin: string) =>
        pin === '246810' ? Result.ok('key') : Result.failure('This is not the PIN.', 'WrongPin'),
      serve: async (key: string) => {
        served = key;
        const link = () => `http://127.0.0.1:1/open/${++links}`;
        return {
          link,
          close: async () => {
            closed = true;
          },
        };
      },
    };
    const code = await consoleCommand(setup, words === undefined ? undefined : person, output);
    return { code, asked: asked.join(''), served, closed, said: output.stdout + output.stderr };
  };

  it('shows an address to the person after the PIN, another for Enter, and ends', async () => {
    const { code, asked, served, closed, said } = await start(['246810', '']);
    expect([code, served, closed]).to.deep.equal([0, 'key', true]);
    expect(asked).to.include('/open/1').and.include('/open/2');
    expect(said).not.to.include('/open/');
  });

  it('serves nothing with a wrong PIN, without one, or without a terminal', async () => {
    for (const [words, pinSet, code] of [
      [['1'], true, 1],
      [[], true, 130],
      [['246810'], false, 4],
      [undefined, true, 4],
    ] as const)
      expect(await start(words, pinSet)).to.include({ code, served: '' });
  });
});
