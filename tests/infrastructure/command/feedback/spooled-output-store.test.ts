import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import type { OutputSpool } from '../../../../src/application/ports/command/output-store.js';
import { SpooledOutputStore } from '../../../../src/infrastructure/command/feedback/spooled-output-store.js';
import { SequentialIds } from '../../../../src/testing/sequential-ids.js';
import { InMemoryFileSystem } from '../../../support/memory-files/in-memory-file-system.js';

const EVERYTHING = {
  guard: { mayRead: () => true, mayWrite: () => true },
  signal: new AbortController().signal,
};

describe('SpooledOutputStore', () => {
  let files: InMemoryFileSystem;
  let store: SpooledOutputStore;

  beforeEach(() => {
    files = new InMemoryFileSystem();
    files.seed('/workspace', 'directory-only');
    store = new SpooledOutputStore('/state', files, new SequentialIds());
  });

  async function open(target: string, maxBytes = 1_000): Promise<OutputSpool> {
    const paths = {
      canRead: (path: string) => path.startsWith('/workspace'),
      canWrite: (path: string) => path.startsWith('/workspace'),
      readableIn: () => () => true,
    };
    const opened = await store.open({ target, paths, maxBytes, signal: EVERYTHING.signal });
    if (!opened.success) throw new Error(opened.error.message);
    return opened.value;
  }

  async function everything(): Promise<readonly string[]> {
    const walk = await files.walk('/', {}, EVERYTHING);
    if (!walk.success) throw new Error(walk.error.message);
    const found: string[] = [];
    for await (const batch of walk.value)
      found.push(...batch.filter(({ kind }) => kind === 'file').map(({ path }) => path));
    return found;
  }

  it('puts the whole output at its place through the file system port, and leaves nothing else', async () => {
    const spool = await open('/workspace/all.log');
    for (const part of ['one ', 'two ', 'three']) await spool.write(Buffer.from(part));
    expect(await everything()).to.deep.equal([]);
    const kept = await spool.keep();
    await spool.discard();
    expect(kept.success && kept.value).to.equal(13);
    expect(await everything()).to.deep.equal(['workspace/all.log']);
    const read = await files.readBytes('/workspace/all.log', { offset: 0, length: 100 }, EVERYTHING);
    expect(read.success && Buffer.from(read.value.bytes).toString()).to.equal('one two three');
  });

  it('forgets an output whose command was ended', async () => {
    const spool = await open('/workspace/all.log');
    await spool.write(Buffer.from('half'));
    await spool.discard();
    expect(await everything()).to.deep.equal([]);
  });

  it('does not write where the policy does not let it', async () => {
    const spool = await open('/elsewhere/all.log');
    await spool.write(Buffer.from('x'));
    const kept = await spool.keep();
    await spool.discard();
    expect(kept.success || kept.error.message).to.match(/^The output was not saved: .*has run\.$/);
    expect(await everything()).to.deep.equal([]);
  });

  it('refuses more than one file may hold', async () => {
    const spool = await open('/workspace/all.log', 10);
    await spool.write(Buffer.alloc(10));
    const refused = await spool.write(Buffer.alloc(1)).catch((error: Error) => error.message);
    expect(refused).to.match(/longer than 10 bytes/);
    await spool.discard();
    expect(await everything()).to.deep.equal([]);
  });
});
