import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { standInFile } from '../../../../src/infrastructure/command/workspace/hidden-files.js';

describe('standInFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-stand-in-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes one file that everybody can read and that says what it is, once', () => {
    const file = standInFile(folder) ?? '';
    const { mode, ino } = statSync(file);
    expect(mode & 0o777).to.equal(0o444);
    expect(readFileSync(file, 'utf8')).to.match(/^# Hidden from commands: .*\n$/);
    expect(standInFile(folder)).to.equal(file);
    expect(statSync(file).ino).to.equal(ino);
  });

  it('puts another content right', () => {
    const file = standInFile(folder) ?? '';
    rmSync(file);
    writeFileSync(file, 'of an earlier version\n');
    standInFile(folder);
    expect(readFileSync(file, 'utf8')).to.match(/^# Hidden/);
  });

  it('is undefined where it cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(standInFile(join(folder, 'file'))).to.equal(undefined);
  });
});
