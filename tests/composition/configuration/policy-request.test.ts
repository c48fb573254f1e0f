import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCastellan } from '../../../src/index.js';

describe('Paths that rules would read as patterns', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-patterns-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (workspace: string, home: string): Promise<string> => {
    for (const name of [workspace, home]) mkdirSync(join(folder, name), { recursive: true });
    const environment = { PATH: process.env.PATH, HOME: join(folder, home) };
    const options = { workspace: join(folder, workspace), environment, logLevel: 'silent' as const };
    const castellan = await createCastellan(options).catch((error: Error) => error.message);
    if (typeof castellan === 'string') return castellan;
    await castellan.close();
    return 'started';
  };

  for (const name of ['a[b]c', 'a*', 'a?', 'a{b,c}', 'a\\b']) {
    it(`stop the start, because the server's own files would stay open: ${name}`, async () => {
      expect(await start(name, 'home'))
        .to.include(join(folder, name))
        .and.include('Rename');
      expect(await start('plain', name)).to.include('Rename');
    });
  }

  it('are not those with blanks, dots, brackets of another kind or letters of any language', async () => {
    expect(await start('ä (old) b.c, #1!', 'home & more')).to.equal('started');
  });
});
