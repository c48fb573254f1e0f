import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { GuardedFileSystem } from '../../../src/infrastructure/files/guarded-file-system.js';
import { FilePromptSource } from '../../../src/infrastructure/prompt/file-prompt-source.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { TemporaryDisk } from '../../support/temporary-disk.js';

function promptText(name: string, text = 'Hello.'): string {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return JSON.stringify({ name, description: 'Say it.', messages });
}

describe('The prompts of a folder', () => {
  let disk: TemporaryDisk;
  let folder: string;
  let source: FilePromptSource;

  const names = async () => (await source.list()).map(({ name }) => name);
  const problemOf = (file: string) =>
    source.problems().find((problem) => problem.file === join(folder, file))?.message ?? '';

  beforeEach(() => {
    disk = new TemporaryDisk();
    folder = join(disk.root, 'prompts');
    mkdirSync(folder);
    disk.file(join(folder, 'good.json'), promptText('good'));
    disk.file(join(disk.outside, 'secret.json'), promptText('secret'));
    source = new FilePromptSource([folder], new GuardedFileSystem(disk.state), new RecordingLogger());
  });
  afterEach(async () => {
    await source.close();
    disk.dispose();
  });

  it('do not include a file outside that a link leads to', async () => {
    disk.link(join(folder, 'secret.json'), join(disk.outside, 'secret.json'));
    expect(await names()).to.deep.equal(['good']);
    expect(problemOf('secret.json')).to.match(/leads through a link/);
  });

  it('do not include one when the link comes later, also in the place of a good file', async () => {
    disk.file(join(folder, 'other.json'), promptText('other'));
    expect(await names()).to.deep.equal(['good', 'other']);
    disk.link(join(folder, 'secret.json'), join(disk.outside, 'secret.json'));
    rmSync(join(folder, 'other.json'));
    disk.link(join(folder, 'other.json'), join(disk.outside, 'secret.json'));
    await eventually('both links are refused', () =>
      ['secret.json', 'other.json'].every((file) => problemOf(file).includes('link')),
    );
    expect(await names()).to.deep.equal(['good']);
  });

  it('are none where the folder itself is a link to a place outside', async () => {
    rmSync(folder, { recursive: true });
    disk.link(folder, disk.outside);
    expect(await names()).to.deep.equal([]);
  });

  it('do not wait for a pipe, at the start or later', async () => {
    execFileSync('mkfifo', [join(folder, 'early.json')]);
    expect(await names()).to.deep.equal(['good']);
    expect(problemOf('early.json')).to.match(/a pipe/);
    execFileSync('mkfifo', [join(folder, 'late.json')]);
    await eventually('the later pipe is refused', () => problemOf('late.json').includes('a pipe'));
    expect(await names()).to.deep.equal(['good']);
  });

  it('do not include a file that is too large', async () => {
    disk.file(join(folder, 'large.json'), promptText('large', 'x'.repeat(1024 * 1024)));
    expect(await names()).to.deep.equal(['good']);
    expect(problemOf('large.json')).to.match(/at most 1048576 bytes/);
  });

  it('are gone when the folder goes', async () => {
    expect(await names()).to.deep.equal(['good']);
    rmSync(folder, { recursive: true });
    await eventually('no prompt is left', async () => (await names()).length === 0);
  });
});
