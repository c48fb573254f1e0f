import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FileAccess, WalkEntry } from '../../src/application/ports/file/safe-file-system.js';
import { Result } from '../../src/domain/result.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { rootGuard } from '../contract/safe-file-system.contract.js';
import { eventually } from '../support/eventually.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

describe('hostile files and names', () => {
  let disk: TemporaryDisk;
  let files: GuardedFileSystem;
  let access: FileAccess;
  let everything: FileAccess;
  const at = (path: string) => `${disk.root}/${path}`;

  beforeEach(() => {
    disk = new TemporaryDisk();
    files = new GuardedFileSystem(disk.state);
    const { signal } = new AbortController();
    access = { guard: rootGuard(disk.root), signal };
    everything = { guard: { mayRead: () => true, mayWrite: () => true }, signal };
  });
  afterEach(() => disk.dispose());

  async function read(path: string, using = access, length = 1000): Promise<string> {
    const answer = await files.readBytes(path, { offset: 0, length }, using);
    return answer.success ? `${answer.value.bytes.length} bytes` : answer.error.kind;
  }
  async function write(path: string, using = access, mode: 'overwrite' | 'append' | 'create' = 'overwrite') {
    const answer = await files.write(path, 'x', { mode }, using);
    return answer.success ? 'written' : answer.error.kind;
  }
  async function tree(path: string): Promise<WalkEntry[]> {
    const walk = await files.walk(path, {}, access);
    if (!walk.success) throw new Error(walk.error.message);
    const entries: WalkEntry[] = [];
    for await (const batch of walk.value) entries.push(...batch);
    return entries;
  }

  it('never opens a pipe, to read, append, edit or copy', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    disk.link(at('link'), 'pipe');
    for (const path of ['pipe', 'link']) {
      expect(await read(at(path))).to.equal('special-file');
      for (const mode of ['overwrite', 'append'] as const) {
        expect(await write(at(path), access, mode)).to.equal('special-file');
      }
    }
    const copied = await files.copy(at('pipe'), at('copy'), { overwrite: true }, access);
    expect(copied.success ? '' : copied.error.kind).to.equal('special-file');
    const updated = await files.update(
      at('pipe'),
      { maxBytes: 10 },
      async (bytes) => Result.ok(bytes),
      access,
    );
    expect(updated.success ? '' : 'kind' in updated.error && updated.error.kind).to.equal('special-file');
  });

  it('never opens a device or a socket', async () => {
    for (const path of ['/dev/zero', '/dev/null', '/dev/random', '/dev/tty']) {
      expect(await read(path, everything), path).to.equal('special-file');
      expect(await write(path, everything), path).to.equal('special-file');
    }
    const server: Server = createServer();
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
    expect(await read(at('socket'))).to.equal('special-file');
    await new Promise((resolve) => server.close(resolve));
  });

  it('reads nothing from kernel file systems, directly or through links', async () => {
    disk.link(at('self'), '/proc/self');
    disk.link(at('environ'), '/proc/self/environ');
    disk.link(at('root'), '/proc/self/root/etc/passwd');
    for (const path of [
      '/proc/self/environ',
      '/proc/cpuinfo',
      '/sys/kernel/hostname',
      '/proc/self/root/etc/passwd',
    ]) {
      expect(await read(path, everything), path).to.be.oneOf(['special-file', 'not-found']);
    }
    for (const path of ['self/environ', 'environ', 'root', 'self/cwd/package.json']) {
      expect(await read(at(path), everything), path).to.not.match(/bytes/);
    }
  });

  it('answers names with line feeds, escape codes, backslashes and emoji like any other', async () => {
    for (const name of [
      'a\nb',
      '\u001b[31mred',
      'back\\slash',
      '😀',
      ' ',
      '-rf',
      '...',
      '%2e%2e',
      'x (deleted)',
    ]) {
      expect(await write(at(name)), name).to.equal('written');
      expect(await read(at(name)), name).to.equal('1 bytes');
    }
    expect((await tree(disk.root)).length).to.equal(9);
    const missing = await files.readBytes(at('\u001b[2J\n'), { offset: 0, length: 1 }, access);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(missing.success ? '' : missing.error.message).to.not.match(/[\u0000-\u001f]/);
  });

  it('answers a NUL, a name of 5,000 bytes and a path of 10,000', async () => {
    expect(await read(at('a\0b'))).to.equal('invalid-path');
    expect(await write(at('a\0b'))).to.equal('invalid-path');
    expect(await read(at('n'.repeat(5000)))).to.equal('name-too-long');
    expect(await write(at('n'.repeat(5000)))).to.equal('name-too-long');
    expect(await read(at('n/'.repeat(5000)))).to.equal('not-found');
  });

  it('shows names that are no UTF-8 as such, and can remove them with their folder', async () => {
    mkdirSync(at('d'));
    const bad = (name: number[]) => Buffer.concat([Buffer.from(`${at('d')}/`), Buffer.from(name)]);
    writeFileSync(bad([0xff, 0xfe, 0x61]), 'x');
    mkdirSync(bad([0xc3]));
    writeFileSync(Buffer.concat([bad([0xc3]), Buffer.from('/inner')]), 'x');
    const entries = await tree(at('d'));
    expect(entries.every((entry) => !entry.nameable)).to.equal(true);
    const removed = await files.remove(at('d'), { recursive: true }, access);
    expect(removed.success && removed.value).to.include({ files: 2, directories: 2 });
  });

  it('makes, writes into, reads, lists and removes a tree 1,500 levels deep', async function () {
    this.timeout(60_000);
    const deep = `${at('deep')}/${Array.from({ length: 1499 }, () => 'level').join('/')}`;
    const made = await files.makeDirectory(deep, { parents: true }, access);
    expect(made.success && made.value).to.equal(1500);
    expect(await write(`${deep}/file`)).to.equal('written');
    expect(await read(`${deep}/file`)).to.equal('1 bytes');
    expect((await tree(disk.root)).length).to.equal(1501);
    const removed = await files.remove(at('deep'), { recursive: true }, access);
    expect(removed.success && removed.value).to.include({ files: 1, directories: 1500 });
    expect(readdirSync(disk.root)).to.deep.equal([]);
  });

  it('reads pieces of a sparse 100 GB file and of a 2 GB file without taking their memory', async () => {
    for (const [name, size] of [
      ['sparse', 100e9],
      ['large', 2 * 1024 ** 3],
    ] as const) {
      const descriptor = openSync(at(name), 'w');
      ftruncateSync(descriptor, size);
      closeSync(descriptor);
      const before = process.memoryUsage().rss;
      const end = await files.readBytes(at(name), { offset: size - 10, length: 1000 }, access);
      expect(end.success && end.value.bytes.length).to.equal(10);
      expect(end.success && end.value.info.size).to.equal(size);
      const updated = await files.update(
        at(name),
        { maxBytes: 1e6 },
        async (bytes) => Result.ok(bytes),
        access,
      );
      expect(updated.success ? '' : 'kind' in updated.error && updated.error.kind).to.equal('too-large');
      expect(process.memoryUsage().rss - before).to.be.lessThan(50e6);
    }
  });

  it('stops a long copy when it is cancelled, and leaves nothing behind', async () => {
    const descriptor = openSync(at('sparse'), 'w');
    ftruncateSync(descriptor, 100e9);
    closeSync(descriptor);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const copied = await files.copy(
      at('sparse'),
      at('copy'),
      { overwrite: false },
      { ...access, signal: controller.signal },
    );
    expect(copied.success ? '' : copied.error.kind).to.equal('cancelled');
    expect(readdirSync(disk.root)).to.deep.equal(['sparse']);
  });

  it('keeps the other name of a hard link as it was, and never appends through one', async () => {
    disk.file(`${disk.outside}/other`, 'other');
    linkSync(`${disk.outside}/other`, at('linked'));
    expect(await write(at('linked'), access, 'append')).to.equal('hard-linked');
    expect(await write(at('linked'))).to.equal('written');
    expect(readFileSync(`${disk.outside}/other`, 'utf8')).to.equal('other');
  });

  it('reads a file with two names unless one of them is denied', async () => {
    disk.file(at('secret'), 'secret');
    linkSync(at('secret'), at('innocent'));
    const { ino } = statSync(at('secret'));
    expect(await read(at('innocent'))).to.equal('6 bytes');
    const knowing = { ...access, isDeniedInode: async ({ inode }: { inode: number }) => inode === ino };
    expect(await read(at('innocent'), knowing)).to.equal('hard-linked');
    const copied = await files.copy(at('innocent'), at('copy'), { overwrite: false }, knowing);
    expect(copied.success ? '' : copied.error.kind).to.equal('hard-linked');
  });

  it('keeps the mode of what it replaces', async () => {
    disk.file(at('script'), 'old');
    chmodSync(at('script'), 0o751);
    await write(at('script'));
    expect(statSync(at('script')).mode & 0o777).to.equal(0o751);
  });

  it('keeps no descriptor open, whatever went wrong', async () => {
    disk.link(at('out'), disk.outside);
    disk.file(at('a/b/c'), 'x');
    execFileSync('mkfifo', [at('pipe')]);
    const open = () => readdirSync('/proc/self/fd').length;
    await write(at('warm'));
    const before = open();
    for (const path of ['out', 'out/x', 'none', 'none/x', 'a/b/c/d', 'pipe', 'a', 'a/b/c']) {
      await read(at(path));
      await write(at(path), access, 'create');
      await write(at(path), access, 'append');
      await files.info(at(path), { followLinks: false }, access);
      await files.copy(at(path), at('copied'), { overwrite: false }, access);
      await files.move(at(path), at('a/moved/x'), { overwrite: false }, access);
      await files.makeDirectory(at(`${path}/q/r`), { parents: true }, access);
      await files.remove(at(path), { recursive: false }, access);
      const walk = await files.walk(at(path), {}, access);
      if (walk.success) for await (const _ of walk.value) break;
    }
    await write(at('warm'), access, 'overwrite');
    await eventually('the file that was replaced is let go of', () => open() === before);
  });
});
