import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { MAIN } from '../support/spawned-server.js';

describe('the code cache of the built command', () => {
  it('does not know the folder that it was built in, which every stack would show', () => {
    const folder = join(dirname(MAIN), 'command');
    const caches = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.cache'),
    );
    expect(caches).to.include('castellan.js.cache');
    for (const name of caches) {
      const text = readFileSync(join(folder, name), 'latin1');
      expect(text.includes(dirname(dirname(MAIN))), name).to.equal(false);
    }
  });
});
