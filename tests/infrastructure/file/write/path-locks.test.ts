import { readdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FileAccess } from '../../../../src/application/ports/file/safe-file-system.js';
import { Result } from '../../../../src/domain/result.js';
import { GuardedFileSystem } from '../../../../src/infrastructure/file/guarded-file-system.js';
import { PathLocks } from '../../../../src/infrastructure/file/write/path-locks.js';
import { rootGuard } from '../../../contract/safe-file-system.contract.js';
import { TemporaryDisk } from '../../../support/temporary-disk.js';

describe('PathLocks', () => {
  let disk: TemporaryDisk;
  let access: FileAccess;
  beforeEach(() => {
    disk = new TemporaryDisk();
    access = { guard: rootGuard(disk.root), signal: new AbortController().signal };
  });
  afterEach(() => disk.dispose());

  it('lets two servers on one workspace change a file without losing a change', async () => {
    const path = `${disk.root}/count`;
    disk.file(path, '0');
    const servers = [new GuardedFileSystem(disk.state), new GuardedFileSystem(disk.state)];
    const addOne = (files: GuardedFileSystem) =>
      files.update(
        path,
        { maxBytes: 100 },
        async (bytes) => Result.ok(Buffer.from(String(Number(Buffer.from(bytes).toString()) + 1))),
        access,
      );
    const all = await Promise.all(servers.flatMap((files) => Array.from({ length: 8 }, () => addOne(files))));
    expect(all.filter((one) => !one.success)).to.deep.equal([]);
    const read = await servers[0]?.readBytes(path, { offset: 0, length: 10 }, access);
    expect(read?.success && Buffer.from(read.value.bytes).toString()).to.equal('16');
    expect(readdirSync(`${disk.state}/locks`)).to.deep.equal([]);
  });

  it('passes over the ticket of a process that is dead', async () => {
    const locks = new PathLocks(`${disk.state}/locks`);
    const tickets = () => readdirSync(`${disk.state}/locks`);
    await locks.holding('/x', true, access, async () => {
      const [own = ''] = tickets();
      writeFileSync(`${disk.state}/locks/${own.split('.')[0]}.999999999-1.aaaa`, '');
    });
    expect(tickets().length).to.equal(1);
    expect(await locks.holding('/x', true, access, async (waited) => waited)).to.equal(false);
    expect(tickets()).to.deep.equal([]);
  });

  it('lets one work after the other in one process, and a failure does not stop the next', async () => {
    const locks = new PathLocks(`${disk.state}/locks`);
    const order: string[] = [];
    const work = (name: string) =>
      locks.holding('/x', false, access, async () => {
        order.push(`${name}+`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name}-`);
        if (name === 'a') throw new Error('a failed');
      });
    await Promise.allSettled([work('a'), work('b'), work('c')]);
    expect(order).to.deep.equal(['a+', 'a-', 'b+', 'b-', 'c+', 'c-']);
  });
});
