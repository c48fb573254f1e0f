import { linkSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { LinuxLocator } from '../../../../src/infrastructure/file/locate/linux-locator.js';
import { FolderListings } from '../../../../src/infrastructure/file/read/folder-listings.js';
import { rootGuard } from '../../../contract/safe-file-system.contract.js';
import { TemporaryDisk } from '../../../support/temporary-disk.js';

const LARGE = 10_000;
const LONG_AGO = 1000;

describe('FolderListings', () => {
  let disk: TemporaryDisk;
  beforeEach(() => {
    disk = new TemporaryDisk();
  });
  afterEach(() => disk.dispose());

  function read(listings: FolderListings, folder: string) {
    const access = { guard: rootGuard(disk.root), signal: new AbortController().signal };
    const held = new LinuxLocator().locate(folder, 'read', access);
    try {
      return listings.read(held);
    } finally {
      held.release();
    }
  }
  function large(): string {
    const folder = join(disk.root, 'large');
    mkdirSync(folder);
    // Names are what is listed, and links are made many times faster than files.
    const one = join(disk.outside, 'one');
    disk.file(one, '');
    for (let index = 0; index < LARGE; index += 1) linkSync(one, `${folder}/f${index}`);
    utimesSync(folder, LONG_AGO, LONG_AGO);
    return folder;
  }

  it('keeps a large folder for its next page, and knows when it was changed', () => {
    const listings = new FolderListings();
    const folder = large();
    const first = read(listings, folder);
    expect(first.length).to.equal(LARGE);
    expect(read(listings, folder)).to.equal(first);
    disk.file(join(folder, 'new'), '');
    expect(read(listings, folder).some(({ name }) => name === 'new')).to.equal(true);
    rmSync(join(folder, 'f7'));
    expect(read(listings, folder).some(({ name }) => name === 'f7')).to.equal(false);
  });

  it('reads a small one anew, and one that has just been changed', () => {
    const listings = new FolderListings();
    disk.file(join(disk.root, 'a'), '');
    expect(read(listings, disk.root)).not.to.equal(read(listings, disk.root));
    const folder = large();
    disk.file(join(folder, 'just now'), '');
    expect(read(listings, folder)).not.to.equal(read(listings, folder));
  });

  it('tells a folder that has taken the place of another', () => {
    const listings = new FolderListings();
    const folder = large();
    read(listings, folder);
    rmSync(folder, { recursive: true });
    disk.file(join(folder, 'other'), '');
    utimesSync(folder, LONG_AGO, LONG_AGO);
    expect(read(listings, folder).map(({ name }) => name)).to.deep.equal(['other']);
  });
});
