import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand } from '../support/run-command.js';
import { PROJECT } from '../support/spawned-server.js';

describe('The sizes of files and folders', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-sizes-'));
    mkdirSync(join(folder, 'room'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const check = (...root: readonly string[]) =>
    runCommand(process.execPath, ['--import', 'tsx', 'scripts/check-sizes.ts', ...root], { cwd: PROJECT });
  const fill = (count: number, lines: number) => {
    for (let index = 0; index < count; index += 1)
      writeFileSync(join(folder, 'room', `${index}.ts`), '// a line\n'.repeat(lines));
  };

  it('are kept by src', async () => {
    const { code, stderr } = await check();
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
  });

  it('are refused for a folder of more than 25 files', async () => {
    fill(26, 1);
    const { code, stderr } = await check(folder);
    expect(stderr).to.match(/^room has 26 files;/);
    expect(code).to.equal(1);
  });

  it('are refused for a file of more than 250 lines, and for a median over 90', async () => {
    fill(1, 251);
    const { code, stderr } = await check(folder);
    expect(stderr).to.match(/^room\/0\.ts has 251 lines;.*\nThe median file has 251 lines;/);
    expect(code).to.equal(1);
  });

  it('are not known of an empty folder', async () => {
    expect((await check(folder)).code).to.equal(1);
  });
});
