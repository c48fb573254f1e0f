import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  type FileRun,
  filesAmong,
  pathsOf,
  SearchedFolders,
} from '../../../../src/infrastructure/file/search/searched-folders.js';

const run = (folder: string, ...names: string[]): FileRun => ({ folder, names });

describe('SearchedFolders', () => {
  it('names a folder for its files where all of them are meant', () => {
    const folders = new SearchedFolders();
    folders.leave('src/deep', 2, true);
    folders.leave('src', 2, true);
    folders.leave('', 2, true);
    const runs = [run('', 'a'), run('src', 'b'), run('src/deep', 'c', 'd'), run('src', 'e'), run('', 'z')];
    expect(folders.places(runs)).to.have.members(['.', 'src', 'src/deep']);
  });

  it('names the files themselves where one was left out, is on another page, or the folder is not done', () => {
    const folders = new SearchedFolders();
    folders.leave('secrets', 2, false);
    folders.leave('pages', 3, true);
    const runs = [run('open', 'a', 'b'), run('pages', 'a', 'b'), run('secrets', 'a', 'b')];
    expect(folders.places(runs)).to.deep.equal(pathsOf(runs));
  });

  it('does not take a folder for whole that came in two batches', () => {
    const folders = new SearchedFolders();
    folders.leave('aa', 3, true);
    expect(folders.places([run('aa', '1')])).to.deep.equal(['aa/1']);
    expect(folders.places([run('aa', '2', '3')])).to.deep.equal(['aa/2', 'aa/3']);
  });
});

describe('filesAmong', () => {
  it('keeps the order of the files, and knows none but them', () => {
    const runs = [run('', 'a'), run('src', 'b', 'c'), run('', 'z'), run('src2', 'b')];
    const paths = new Set(['src/c', 'z', 'a', 'src/not-asked-for', 'elsewhere/b', 'src2/b']);
    expect(filesAmong(runs, paths)).to.deep.equal(['a', 'src/c', 'z', 'src2/b']);
    expect(filesAmong(runs, new Set())).to.deep.equal([]);
  });
});
