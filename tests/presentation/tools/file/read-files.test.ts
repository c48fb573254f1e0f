import { chmodSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileTools } from '../../../support/file-tools.js';

describe('read_files', () => {
  const tools = FileTools.forEachTest();
  const { at, put, failure, envelope } = tools;

  it('answers with one entry a path, each with its own success or failure', async () => {
    put('.env', 'KEY=SECRET\n');
    put('a.bin', Buffer.alloc(3000));
    symlinkSync('.env', at('link'));
    const paths = ['README.md', '.env', 'gone.txt', '../outside', 'a.bin', 'src', 'link', 'src/index.ts'];
    const { value } = await envelope('read_files', { paths });
    const entries = value as readonly { path: string; success: boolean; error_type?: string }[];
    expect(entries.map(({ path }) => path)).to.deep.equal(paths);
    expect(entries.map(({ success, error_type }) => (success ? 'read' : error_type))).to.deep.equal([
      'read',
      'PermissionDeniedError',
      'NotFoundError',
      'PermissionDeniedError',
      'BinaryFileError',
      'IsADirectoryError',
      'PermissionDeniedError',
      'read',
    ]);
    expect(JSON.stringify(value)).not.to.include('SECRET');
  });

  it('does not so much as open a file that the policy denies', async () => {
    put('.env', 'KEY=SECRET\n');
    chmodSync(at('.env'), 0);
    const { value } = await envelope('read_files', { paths: ['.env', 'README.md', 'gone/.env'] });
    const types = (value as readonly { error_type?: string }[]).map(({ error_type }) => error_type);
    // What is denied and not there looks like what is denied and there.
    expect(types).to.deep.equal(['PermissionDeniedError', undefined, 'PermissionDeniedError']);
  });

  it('is refused as a whole where the policy denies every path', async () => {
    expect((await failure('read_files', { paths: ['.env', '../outside'] })).type).to.equal(
      'PermissionDeniedError',
    );
  });

  it('shares the room of the answer among the files', async () => {
    const long = 'line\n'.repeat(100_000);
    for (const name of ['a', 'b', 'c']) put(`${name}.txt`, long);
    const { value } = await envelope('read_files', { paths: ['a.txt', 'b.txt', 'c.txt', 'README.md'] });
    const entries = value as readonly { content: string; next_offset?: number }[];
    for (const { content, next_offset } of entries.slice(0, 3)) {
      expect(content.length).to.be.greaterThan(4_000);
      expect(content).to.equal('line\n'.repeat(next_offset ?? 0));
    }
    expect(entries[3]?.content).to.equal('# Sample\n');
  });
});
