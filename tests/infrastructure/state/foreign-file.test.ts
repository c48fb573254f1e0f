import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  type ForeignFile,
  type ForeignFileRules,
  openForeignFile,
  readForeignFile,
  readForeignFileSync,
  strictUtf8,
} from '../../../src/infrastructure/state/foreign-file.js';
import { TemporaryDisk } from '../../support/temporary-disk.js';

const PLAIN: ForeignFileRules = { maxBytes: 1000, links: 'anywhere' };

describe('reading a file that somebody else may have put there', () => {
  let disk: TemporaryDisk;
  const at = (name: string) => join(disk.root, name);
  beforeEach(() => {
    disk = new TemporaryDisk();
  });
  afterEach(() => disk.dispose());

  /** Both forms, which must agree. */
  async function read(name: string, rules = PLAIN): Promise<string> {
    const path = name.startsWith('/') ? name : at(name);
    const [now, later] = [readForeignFileSync(path, rules), await readForeignFile(path, rules)].map(told);
    expect(later).to.equal(now);
    return now ?? '';
  }

  function told(file: ForeignFile): string {
    if (file.kind === 'bytes') return `bytes: ${file.bytes.toString('latin1').slice(0, 20)}`;
    return file.kind === 'refused' ? file.why : file.kind;
  }

  it('reads regular files up to the limit, and not a byte beyond', async () => {
    writeFileSync(at('empty'), '');
    writeFileSync(at('exact'), 'x'.repeat(1000));
    writeFileSync(at('more'), 'x'.repeat(1001));
    expect(await read('empty')).to.equal('bytes: ');
    expect(await read('exact')).to.equal(`bytes: ${'x'.repeat(20)}`);
    expect(await read('more')).to.equal('it has 1001 bytes, and at most 1000 are read');
    expect(await read('absent')).to.equal('missing');
    expect(await read('exact/below')).to.equal('missing');
  });

  it('reads a large file whole', async () => {
    const content = Buffer.from('0123456789'.repeat(100_000));
    writeFileSync(at('large'), content);
    const rules = { maxBytes: 2 ** 21, links: 'anywhere' } as const;
    const large = await readForeignFile(at('large'), rules);
    const same = readForeignFileSync(at('large'), rules);
    expect(large.kind === 'bytes' && large.bytes.equals(content)).to.equal(true);
    expect(same.kind === 'bytes' && same.bytes.equals(content)).to.equal(true);
  });

  it('bounds what is really read, where a file says that it is empty', async () => {
    expect(await read('/proc/self/status')).to.match(/^it has \d+ bytes, and at most 1000 are read$/);
    expect(await read('/proc/self/status', { ...PLAIN, maxBytes: 100_000 })).to.match(/^bytes: Name:/);
  });

  it('refuses pipes, sockets, devices and folders, directly and behind a link', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('folder'));
    const server = createServer().listen(at('socket'));
    await new Promise((ready) => server.once('listening', ready));
    const kinds = [
      ['pipe', 'it is a named pipe and not a regular file'],
      ['folder', 'it is a folder and not a regular file'],
      ['socket', 'it is a socket and not a regular file'],
      ['/dev/zero', 'it is a device and not a regular file'],
    ] as const;
    try {
      for (const [name, why] of kinds) {
        expect(await read(name)).to.equal(why);
        symlinkSync(name, at(`to-${name.replaceAll('/', '')}`));
        expect(await read(`to-${name.replaceAll('/', '')}`)).to.equal(why);
      }
    } finally {
      server.close();
    }
  });

  it('does not read a sparse file that is too large', async () => {
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), 5e9);
    expect(await read('sparse')).to.equal('it has 5000000000 bytes, and at most 1000 are read');
  });

  it('follows links as far as it is told to', async () => {
    mkdirSync(at('inside'));
    writeFileSync(at('inside/file'), 'inside');
    writeFileSync(at('outside'), 'outside');
    symlinkSync('file', at('inside/near'));
    symlinkSync('../outside', at('inside/far'));
    symlinkSync('..', at('inside/up'));
    symlinkSync('gone', at('inside/dangling'));
    symlinkSync('loop', at('inside/loop'));
    const inside = { ...PLAIN, links: { inside: at('inside') } };
    const none: ForeignFileRules = { ...PLAIN, links: 'nowhere' };
    expect(await read('inside/far')).to.equal('bytes: outside');
    expect(await read('inside/near', inside)).to.equal('bytes: inside');
    expect(await read('inside/far', inside)).to.include('leads out');
    expect(await read('inside/up/outside', inside)).to.include('leads out');
    expect(await read('inside/near', none)).to.include('symbolic link');
    expect(await read('inside/dangling', inside)).to.equal('missing');
    expect(await read('inside/loop', inside)).to.include('links');
  });

  it('hands over a descriptor of a regular file only', () => {
    writeFileSync(at('file'), 'x');
    const opened = openForeignFile(at('file'), PLAIN);
    if ('kind' in opened) throw new Error('It was not opened.');
    expect(opened.status.size).to.equal(1);
    closeSync(opened.descriptor);
    expect(openForeignFile('/dev/null', PLAIN)).to.have.property('kind', 'refused');
  });

  it('tells bytes that are no UTF-8 from text', () => {
    expect(strictUtf8(Buffer.from('ä'))).to.equal('ä');
    expect(strictUtf8(Buffer.from([0x61, 0xff]))).to.equal(undefined);
  });
});
