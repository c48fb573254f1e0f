import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('delete_path', () => {
  const tools = FileTools.forEachTest();
  const { failure } = tools;

  it('deletes nothing without the literal action', async () => {
    expect((await failure('delete_path', { path: 'README.md' })).message).to.equal(
      'explicit_action is required',
    );
    expect((await failure('delete_path', { path: 'src', explicit_action: 'DELETE_PATH' })).type).to.equal(
      'NotEmptyError',
    );
  });
});
