import { statSync, truncateSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CAP, FileTools } from '../../../support/file-tools.js';

describe('read_file', () => {
  const tools = FileTools.forEachTest();
  const { at, put, texts, failure, envelope } = tools;

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
    expect((await failure('read_file', { path: 'a.zip' })).message).to.match(/application\/zip of 10 bytes/);
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
