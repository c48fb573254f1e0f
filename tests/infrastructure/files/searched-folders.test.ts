import { expect } from 'chai';
import { describe, it } from 'mocha';
import { SearchedFolders } from '../../../src/infrastructure/files/searched-folders.js';

describe('SearchedFolders', () => {
  it('names a folder for its files where all of them are meant', () => {
    const folders = new SearchedFolders();
    folders.leave('src/deep', 2, true);
    folders.leave('src', 2, true);
    folders.leave('', 2, true);
    const paths = ['a', 'src/b', 'src/deep/c', 'src/deep/d', 'src/e', 'z'];
    expect(folders.places(paths)).to.have.members(['.', 'src', 'src/deep']);
  });

  it('names the files themselves where one was left out, is on another page, or the folder is not done', () => {
    const folders = new SearchedFolders();
    folders.leave('secrets', 2, false);
    folders.leave('pages', 3, true);
    const paths = ['open/a', 'open/b', 'pages/a', 'pages/b', 'secrets/a', 'secrets/b'];
    expect(folders.places(paths)).to.deep.equal(paths);
  });

  it('does not take a folder for another whose name is as long', () => {
    const folders = new SearchedFolders();
    folders.leave('aa', 2, true);
    expect(folders.places(['aa/1', 'ab/1', 'ab/2'])).to.deep.equal(['aa/1', 'ab/1', 'ab/2']);
    folders.leave('ab', 2, true);
    expect(folders.places(['ab/1', 'ab/2', 'ac/1'])).to.deep.equal(['ab', 'ac/1']);
  });
});
