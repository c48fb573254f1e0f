import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { FilePromptSource } from '../../../src/infrastructure/prompt/file-prompt-source.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { folderTools } from '../../support/folder-tools.js';
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
    source = new FilePromptSource([folder], folderTools(disk), new RecordingLogger());
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

  it('S3-35, S0-61, C31: are strict JSON of the right shape, and what is not is left out with its place', async () => {
    const prompt = { name: 'x', description: 'X.', messages: [{ role: 'user', content: { text: 'Hi.' } }] };
    const files: Readonly<Record<string, string>> = {
      'comment.json': '{\n  "name": "x", // no\n}',
      'yaml.json': 'name: x\n',
      'twice.json': '{ "name": "a",\n  "name": "b" }',
      'role.json': JSON.stringify(
        { ...prompt, messages: [{ role: 'system', content: { text: 'x' } }] },
        null,
        2,
      ),
      'unknown.json': JSON.stringify({ ...prompt, colour: 'red' }),
      'empty.json': JSON.stringify({ ...prompt, messages: [] }),
      'blank.json': JSON.stringify({ ...prompt, description: ' ' }),
      'undescribed.json': JSON.stringify({ ...prompt, arguments: [{ name: 'topic' }], examples: ['x'] }),
      'silent.json': JSON.stringify({ ...prompt, arguments: [{ name: 'topic', description: ' ' }] }),
      'unshown.json': JSON.stringify({ ...prompt, arguments: [{ name: 'topic', description: 'T.' }] }),
      'Shouting.json': JSON.stringify(prompt),
      'capital.json': JSON.stringify({ ...prompt, name: 'Capital' }),
    };
    for (const [name, text] of Object.entries(files)) disk.file(join(folder, name), text);
    expect(await names()).to.deep.equal(['good']);
    const said = source
      .problems()
      .map(({ file, line, column, message }) => `${basename(file)}:${line}:${column} ${message}`);
    for (const expected of [
      /^comment\.json:2:16 Not valid JSON: expected a key/,
      /^yaml\.json:1:1 Not valid JSON/,
      /^twice\.json:2:3 Not valid JSON: the key "name" appears twice/,
      /^role\.json:6:15 Expected one of user, assistant/,
      /^unknown\.json:1:\d+ Unknown key "colour"/,
      /^empty\.json:1:1 A prompt has at least one message/,
      /^blank\.json:1:\d+ The description of a prompt is empty/,
      /^undescribed\.json:1:\d+ .*description/,
      /^silent\.json:1:\d+ The description of an argument is empty/,
      /^unshown\.json:1:1 A prompt with arguments has an example at least/,
      /^Shouting\.json:1:1 The name of a prompt's file/,
      /^capital\.json:1:\d+ A name has lower-case letters/,
    ]) {
      expect(
        said.some((line) => expected.test(line)),
        `${expected} in ${said.join(' | ')}`,
      ).to.equal(true);
    }
  });

  it('may say by $comment where their template is described', async () => {
    const text = promptText('noted').replace('{', '{ "$comment": "See the README.",');
    disk.file(join(folder, 'noted.json'), text);
    expect(await names()).to.deep.equal(['good', 'noted']);
  });
});
