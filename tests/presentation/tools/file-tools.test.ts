import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Clock } from '../../../src/application/ports/clock.js';
import { ExecuteToolHandler } from '../../../src/application/tool/execute-tool.js';
import { SILENT_CHANNEL } from '../../../src/application/tool/tool-context.js';
import type { Castellan } from '../../../src/composition/castellan.js';
import { createCastellan } from '../../../src/composition/create-castellan.js';
import type { Envelope } from '../../../src/domain/result.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { allowing, SampleWorkspace } from '../../support/sample-workspace.js';

const CAP = 256 * 1024;

describe('The file tools', () => {
  let sample: SampleWorkspace;
  let castellan: Castellan;
  const at = (path: string) => join(sample.root, path);
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), content);
  };
  const call = (tool: string, args: Record<string, unknown> = {}) => castellan.execute(tool, args);

  /** The blocks of a text answer. */
  async function texts(tool: string, args: Record<string, unknown>): Promise<readonly string[]> {
    const outcome = await call(tool, args);
    if (!outcome.success) throw new Error(outcome.error.message);
    return outcome.value.content.map((block) => (block.type === 'text' ? block.text : block.type));
  }
  async function failure(tool: string, args: Record<string, unknown> = {}) {
    const outcome = await call(tool, args);
    if (outcome.success) throw new Error(`${tool} succeeded`);
    return { message: outcome.error.message, type: outcome.errorType };
  }
  async function envelope(tool: string, args: Record<string, unknown> = {}): Promise<Envelope> {
    const outcome = await call(tool, args);
    if (!outcome.success) throw new Error(outcome.error.message);
    if (outcome.value.structured === undefined) throw new Error('no structured answer');
    return outcome.value.structured;
  }
  async function pages(tool: string, args: Record<string, unknown>): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const answer: Envelope = await envelope(tool, { ...args, ...(cursor !== undefined && { cursor }) });
      expect(JSON.stringify(answer).length).to.be.at.most(CAP);
      if (!Array.isArray(answer.value)) throw new Error('no array');
      all.push(...answer.value);
      cursor = answer.page?.next_cursor;
    }
    return all;
  }

  beforeEach(async () => {
    sample = new SampleWorkspace(
      allowing('.', '    rate: { per: principal, limit: 100000/min, on_store_failure: local }\n'),
    );
    castellan = await createCastellan({ workspace: sample.root, policy: sample.policy, logLevel: 'silent' });
  });
  afterEach(async () => {
    await castellan.close();
    sample.dispose();
  });

  it('S4-06: are those of the category file, the four of the seed among them', () => {
    const names = builtinTools.filter(({ category }) => category === 'file').map(({ name }) => name);
    expect(names).to.include.members(['read_file', 'write_file', 'list_directory', 'search_files']);
    expect(names.length).to.equal(12);
  });

  describe('read_file', () => {
    it('S4-08: a missing or an empty path is "path is required", and failures are error results', async () => {
      expect((await failure('read_file')).message).to.equal('path is required');
      expect((await failure('read_file', { path: '' })).message).to.equal('path is required');
      expect((await failure('read_file', { path: 'gone' })).type).to.equal('NotFoundError');
      expect((await failure('read_file', { path: 'src' })).type).to.equal('IsADirectoryError');
    });
    it('S4-08: reads utf-8 by default, and another encoding by its name', async () => {
      put('a.txt', 'grüße');
      const german = 'Schöne Grüße aus dem Süden, über die wir uns sehr freuen würden.';
      put('b.txt', Buffer.from(german, 'latin1'));
      expect(await texts('read_file', { path: 'a.txt' })).to.deep.equal(['grüße']);
      expect(await texts('read_file', { path: 'b.txt', encoding: 'windows-1252' })).to.deep.equal([german]);
      const wrong = await failure('read_file', { path: 'b.txt' });
      expect(wrong.type).to.equal('EncodingError');
      expect(wrong.message).to.match(/read the file with encoding "(iso-8859|windows-125)/);
    });
    it('pages through a long file by its own hints, and loses no line', async () => {
      const whole = Array.from({ length: 60_000 }, (_, line) => `line ${line}\n`).join('');
      put('long.txt', whole);
      let read = '';
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const [text = '', hint = '']: readonly string[] = await texts('read_file', {
          path: 'long.txt',
          offset,
        });
        expect(Buffer.byteLength(text)).to.be.at.most(CAP);
        read += text;
        const next = /Read on with offset (\d+)/.exec(hint)?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      expect(read === whole).to.equal(true);
    });
    it('counts from the end, says when nothing is left, and refuses a limit of 0', async () => {
      expect(await texts('read_file', { path: 'src/index.ts', offset: -1 })).to.deep.equal(['// line\n']);
      const [, hint] = await texts('read_file', { path: 'src/index.ts', offset: 999 });
      expect(hint).to.match(/has 41 lines/);
      expect((await failure('read_file', { path: 'README.md', limit: 0 })).type).to.equal(
        'ToolValidationError',
      );
    });
    it('reads parts of a file that is too large to hold, from both ends, in UTF-16 too', async () => {
      const lines = (count: number) => Array.from({ length: count }, (_, line) => `row ${line}\n`).join('');
      put('large.txt', lines(600_000));
      put('wide.txt', Buffer.from(`\ufeff${lines(300_000)}`, 'utf16le'));
      for (const [path, last] of [
        ['large.txt', 599_999],
        ['wide.txt', 299_999],
      ] as const) {
        expect(statSync(at(path)).size).to.be.greaterThan(4 * 1024 * 1024);
        expect((await texts('read_file', { path, limit: 2 }))[0], path).to.equal('row 0\nrow 1\n');
        expect((await texts('read_file', { path, offset: 250_000, limit: 1 }))[0], path).to.equal(
          'row 250000\n',
        );
        expect((await texts('read_file', { path, offset: -2 }))[0], path).to.equal(
          `row ${last - 1}\nrow ${last}\n`,
        );
      }
    });
    it('shows pictures and sounds as such, and refuses other binaries with type and size', async () => {
      put('a.wav', Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(100)]));
      put('a.zip', Buffer.from('504b03040a0000000000', 'hex'));
      put('a.bin', Buffer.alloc(3000));
      expect(await texts('read_file', { path: 'a.wav' })).to.deep.equal(['audio']);
      expect((await failure('read_file', { path: 'a.zip' })).message).to.match(
        /application\/zip of 10 bytes/,
      );
      expect((await failure('read_file', { path: 'a.bin' })).message).to.match(/octet-stream of 2.9 KiB/);
    });
    it('answers about a file of 2 GB within its time', async () => {
      put('huge', 'first\nsecond\n');
      truncateSync(at('huge'), 2 * 1024 ** 3);
      expect((await failure('read_file', { path: 'huge' })).type).to.equal('BinaryFileError');
      expect((await envelope('file_info', { path: 'huge' })).value).to.include({ size: 2 * 1024 ** 3 });
    });
    it('five missing files do not switch the tool off', async () => {
      for (let round = 0; round < 8; round += 1) await failure('read_file', { path: `gone${round}` });
      expect(await texts('read_file', { path: 'README.md' })).to.deep.equal(['# Sample\n']);
    });
  });

  describe('write_file and edit_file', () => {
    it('S4-09: answers `Written to {path}` with the path as given, content empty by default', async () => {
      expect(await texts('write_file', { path: './new.txt' })).to.deep.equal(['Written to ./new.txt']);
      expect(readFileSync(at('new.txt'), 'utf8')).to.equal('');
      expect((await failure('write_file', {})).message).to.equal('path is required');
    });
    it('S4-09: makes the folders above on demand only', async () => {
      expect((await failure('write_file', { path: 'a/b/c.txt', content: 'x' })).type).to.equal(
        'NotFoundError',
      );
      await texts('write_file', { path: 'a/b/c.txt', content: 'x', create_dirs: true });
      expect(readFileSync(at('a/b/c.txt'), 'utf8')).to.equal('x');
    });
    it('refuse a placeholder of what was redacted, and leave the file alone', async () => {
      const secret = '[castellan-redacted:github]';
      expect((await failure('write_file', { path: 'README.md', content: secret })).type).to.equal(
        'RedactedTextError',
      );
      const edits = [{ old_text: '# Sample', new_text: secret }];
      expect((await failure('edit_file', { path: 'README.md', edits })).type).to.equal('RedactedTextError');
      expect(readFileSync(at('README.md'), 'utf8')).to.equal('# Sample\n');
    });
    it('a miss names the nearest text, and nothing is written', async () => {
      const edits = [
        { old_text: '// line\n', new_text: 'x', replace_all: true },
        { old_text: 'export const onee = 1', new_text: '' },
      ];
      const miss = await failure('edit_file', { path: 'src/index.ts', edits });
      expect(miss.message).to.match(/Edit 2.*line 1[\s\S]*export const one = 1/);
      expect(readFileSync(at('src/index.ts'), 'utf8')).to.include('// line');
    });
    it('twenty edits of one file at once are all kept', async () => {
      put('list.txt', Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join(''));
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          texts('edit_file', {
            path: 'list.txt',
            edits: [{ old_text: `<${index}>`, new_text: `done ${index}` }],
          }),
        ),
      );
      expect(readFileSync(at('list.txt'), 'utf8').match(/done/g)?.length).to.equal(20);
    });
  });

  describe('list_directory, search_files and search_content', () => {
    it('S4-10: lists "." by default, entries with name, path, type and size or null', async () => {
      const { value } = await envelope('list_directory');
      expect(value).to.be.an('array').with.length(2);
      const [readme, src] = value as readonly Record<string, unknown>[];
      expect(readme).to.include({ name: 'README.md', path: 'README.md', type: 'file', size: 9 });
      expect(src).to.include({ name: 'src', type: 'directory', size: null });
    });
    it('S4-10: what is no folder is `Not a directory: {path}`, and recursion is off by default', async () => {
      expect((await failure('list_directory', { path: './README.md' })).message).to.equal(
        'Not a directory: ./README.md',
      );
      expect(JSON.stringify((await envelope('list_directory')).value)).not.to.include('index.ts');
      expect(JSON.stringify((await envelope('list_directory', { recursive: true })).value)).to.include(
        'src/index.ts',
      );
    });
    it('S4-11: searches "." for "*" by default, at any depth, and the value is an array of paths', async () => {
      expect((await envelope('search_files')).value).to.deep.equal(['README.md', 'src', 'src/index.ts']);
      expect((await envelope('search_files', { pattern: '*.ts' })).value).to.deep.equal(['src/index.ts']);
    });
    it('pages that are cut by their size lose nothing and repeat nothing', async () => {
      const name = 'n'.repeat(200);
      for (let index = 0; index < 1500; index += 1) put(`many/${index}-${name}`, 'needle\n'.repeat(2));
      const listed = await pages('list_directory', { path: 'many', limit: 10_000 });
      expect(new Set(listed.map((entry) => JSON.stringify(entry))).size).to.equal(1500);
      expect(listed.length).to.equal(1500);
      const found = await pages('search_content', { path: 'many', query: 'needle', limit: 1000 });
      expect(new Set(found.map((match) => JSON.stringify(match))).size).to.equal(3000);
    });
    it('a cursor survives changes of the tree, and a false one is refused', async () => {
      for (const name of ['a', 'b', 'd']) put(`t/${name}`, '');
      const first = await envelope('search_files', { path: 't', limit: 2 });
      expect(first.value).to.deep.equal(['t/a', 't/b']);
      expect(first.page?.truncated).to.equal(true);
      put('t/c', '');
      const rest = await envelope('search_files', { path: 't', cursor: first.page?.next_cursor });
      expect(rest.value).to.deep.equal(['t/c', 't/d']);
      expect((await failure('search_files', { cursor: 'made up' })).message).to.match(/next_cursor/);
    });
    it('stops when it is cancelled', async () => {
      const controller = new AbortController();
      controller.abort();
      const cancelled = await castellan.execute('search_files', {}, { signal: controller.signal });
      expect(cancelled.success ? '' : cancelled.errorType).to.equal('CancelledError');
    });
  });

  it('report the progress of long work, in numbers that grow', async () => {
    for (let index = 0; index < 30; index += 1) put(`p/${index}`, '');
    let elapsed = 0;
    const hasty = await createCastellan({
      workspace: sample.root,
      policy: sample.policy,
      logLevel: 'silent',
      configure: (container) => {
        container.rebind(Clock).toConstantValue({ now: () => Date.now(), elapsed: () => (elapsed += 1000) });
      },
    });
    const progress: number[] = [];
    const channel = { ...SILENT_CHANNEL, progress: (done: number) => void progress.push(done) };
    const args = { source: 'p', destination: 'q' };
    const { id: sessionId } = hasty.session;
    await hasty.container
      .get(ExecuteToolHandler)
      .handle({ sessionId, toolName: 'copy_path', arguments: args, channel });
    await hasty.close();
    expect(progress.length).to.be.greaterThan(10);
    expect(progress).to.deep.equal([...new Set(progress)].sort((a, b) => a - b));
  });

  it('tell a missing destination from a missing source', async () => {
    const missing = await failure('copy_path', { source: 'README.md', destination: 'none/x' });
    expect(missing.message).to.include('none/x');
    expect((await failure('move_path', { source: 'README.md', destination: 'src' })).message).to.match(
      /^src exists/,
    );
  });

  it('delete nothing without the literal action', async () => {
    expect((await failure('delete_path', { path: 'README.md' })).message).to.equal(
      'explicit_action is required',
    );
    expect((await failure('delete_path', { path: 'src', explicit_action: 'DELETE_PATH' })).type).to.equal(
      'NotEmptyError',
    );
  });
});
