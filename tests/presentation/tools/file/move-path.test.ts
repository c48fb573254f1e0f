import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('move_path', () => {
  const tools = FileTools.forEachTest();
  const { failure } = tools;

  it('does not overwrite unless it is told to', async () => {
    expect((await failure('move_path', { source: 'README.md', destination: 'src' })).message).to.match(
      /^src exists/,
    );
  });
});
