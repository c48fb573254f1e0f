import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FileAccess } from '../../../../src/application/ports/file/safe-file-system.js';
import { GenericLocator } from '../../../../src/infrastructure/file/locate/generic-locator.js';
import { DiskFlush } from '../../../../src/infrastructure/file/write/disk-flush.js';

describe('DiskFlush', () => {
  const access: FileAccess = {
    guard: { mayRead: () => true, mayWrite: () => true },
    signal: { aborted: false },
  };
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'flush-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('takes a folder that may be written but not listed for what it is', async () => {
    const held = new GenericLocator('generic').locate(folder, 'write', access);
    chmodSync(folder, 0o333);
    const root = process.geteuid?.() === 0;
    if (root) process.seteuid?.(65_534);
    try {
      // What may be refused happens before the first wait, as the user we are for so long.
      await new DiskFlush().folder(held);
    } finally {
      if (root) process.seteuid?.(0);
    }
  });

  it('does not hide that a folder is gone', async () => {
    const held = new GenericLocator('generic').locate(folder, 'write', access);
    rmSync(folder, { recursive: true });
    const error = await new DiskFlush().folder(held)?.catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'ENOENT');
    folder = mkdtempSync(join(tmpdir(), 'flush-'));
  });
});
