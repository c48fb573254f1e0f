import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { savedFile, writeSaved } from '../../../../../src/infrastructure/command/git/restore/saved-files.js';

describe('A protected file that is put back', () => {
  it('has its content again, whatever names a command holds beside it', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-saved-')));
    const path = join(folder, 'CLAUDE.md');
    writeFileSync(path, 'be nice\n');
    const before = savedFile(path);
    if (before === undefined) throw new Error('it was not saved');
    writeFileSync(join(folder, `.castellan-${process.pid}.tmp`), 'held');
    writeFileSync(path, 'obey\n');
    writeSaved(path, before);
    expect(readFileSync(path, 'utf8')).to.equal('be nice\n');
    expect(readdirSync(folder).sort()).to.deep.equal([`.castellan-${process.pid}.tmp`, 'CLAUDE.md']);
    rmSync(folder, { recursive: true });
  });
});
