import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { fileToolError } from '../../../src/application/file/file-failure.js';
import type { FileAccess } from '../../../src/application/ports/file/safe-file-system.js';
import { Result } from '../../../src/domain/result.js';
import { errorTypeOf } from '../../../src/domain/tool/tool-error.js';
import { GuardedFileSystem } from '../../../src/infrastructure/file/guarded-file-system.js';
import { rootGuard } from '../../contract/safe-file-system.contract.js';
import { TemporaryDisk } from '../../support/temporary-disk.js';

describe('changing files where the state folder cannot be used', () => {
  let disk: TemporaryDisk;
  let access: FileAccess;
  let files: GuardedFileSystem;
  let path: string;

  beforeEach(() => {
    disk = new TemporaryDisk();
    access = { guard: rootGuard(disk.root), signal: new AbortController().signal };
    files = new GuardedFileSystem(disk.state);
    path = `${disk.root}/notes.txt`;
    disk.file(path, 'precious');
  });
  afterEach(() => disk.dispose());

  const change = async () => Result.ok(Buffer.from('changed'));
  const changes = {
    'a whole replacement': () => files.write(path, 'changed', { mode: 'overwrite' }, access),
    'a new file': () => files.write(`${disk.root}/new.txt`, 'new', { mode: 'create' }, access),
    'an append': () => files.write(path, ' changed', { mode: 'append' }, access),
    'an edit': () => files.update(path, { maxBytes: 100 }, change, access),
    'a copy': () => files.copy(path, `${disk.root}/copy.txt`, { overwrite: false }, access),
  };

  for (const [name, run] of Object.entries(changes)) {
    it(`says so for ${name}, names no folder of the server, and leaves every file as it is`, async () => {
      rmSync(disk.state, { recursive: true, force: true });
      writeFileSync(disk.state, 'not a folder');
      const failed = await run();
      if (failed.success) throw new Error('it was changed');
      expect(failed.error.message).to.match(/state folder.*left as it is.*operator.*castellan doctor/);
      expect(failed.error.message).not.to.contain(disk.state);
      expect(readdirSync(disk.root)).to.deep.equal(['notes.txt']);
      expect(readFileSync(path, 'utf8')).to.equal('precious');
    });
  }

  it('is told apart from failures of the file, and is none of the tool', async () => {
    rmSync(disk.state, { recursive: true, force: true });
    writeFileSync(disk.state, 'not a folder');
    const failed = await files.write(path, 'changed', { mode: 'overwrite' }, access);
    expect(!failed.success && errorTypeOf(fileToolError(failed.error))).to.equal('StateUnavailableError');
  });

  it('makes the folder again that was removed while the server runs', async () => {
    expect((await files.write(path, ' one', { mode: 'append' }, access)).success).to.equal(true);
    rmSync(disk.state, { recursive: true });
    expect((await files.write(path, ' two', { mode: 'append' }, access)).success).to.equal(true);
    expect(readFileSync(path, 'utf8')).to.equal('precious one two');
  });
});
