import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Spending } from '../../../src/domain/model/token-spending.js';
import { FileTokenLedger } from '../../../src/infrastructure/model/file-token-ledger.js';

describe('FileTokenLedger', () => {
  let state: string;

  beforeEach(async () => {
    state = await mkdtemp(join(tmpdir(), 'castellan-tokens-'));
  });
  afterEach(() => rm(state, { recursive: true, force: true }));

  const spending = (tokens: number): Spending => ({ at: tokens, caller: 'local', tokens });

  async function contentOf(ledger: FileTokenLedger): Promise<readonly Spending[]> {
    let found: readonly Spending[] = [];
    const read = await ledger.update((spent) => {
      found = spent;
      return spent;
    });
    if (!read.success) throw new Error(read.error);
    return found;
  }

  it('remembers beyond the process, for each workspace by itself', async () => {
    await new FileTokenLedger(state, '/one').update((spent) => [...spent, spending(7)]);
    expect(await contentOf(new FileTokenLedger(state, '/one'))).to.deep.equal([spending(7)]);
    expect(await contentOf(new FileTokenLedger(state, '/two'))).to.deep.equal([]);
  });

  it('loses nothing of what several servers write at once, and leaves nothing behind', async () => {
    const servers = [new FileTokenLedger(state, '/w'), new FileTokenLedger(state, '/w')];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        servers[index % 2]?.update((spent) => [...spent, spending(index)]),
      ),
    );
    const ledger = new FileTokenLedger(state, '/w');
    const found = (await contentOf(ledger)).map(({ tokens }) => tokens).sort((a, b) => a - b);
    expect(found).to.deep.equal(Array.from({ length: 40 }, (_, index) => index));
    expect(await readdir(dirname(ledger.path))).to.have.length(1);
  });

  it('is for its user alone, and not written where nothing changed', async () => {
    const ledger = new FileTokenLedger(state, '/w');
    await ledger.update(() => [spending(1)]);
    const { mode, mtimeMs } = await stat(ledger.path);
    expect(mode & 0o077).to.equal(0);
    await ledger.update((spent) => spent);
    expect((await stat(ledger.path)).mtimeMs).to.equal(mtimeMs);
  });

  it('refuses a damaged file instead of starting from nothing, and leaves it as it is', async () => {
    const ledger = new FileTokenLedger(state, '/w');
    await ledger.update(() => [spending(1)]);
    for (const damage of ['{', '{"version":2,"spent":[]}', '{"version":1,"spent":[{"at":"x"}]}']) {
      await writeFile(ledger.path, damage);
      const outcome = await ledger.update(() => []);
      expect(!outcome.success && outcome.error).to.match(/damaged; remove it/);
      expect(await readFile(ledger.path, 'utf8')).to.equal(damage);
    }
  });

  it('says so where the state folder cannot be used', async () => {
    const file = join(state, 'a-file');
    await writeFile(file, '');
    const outcome = await new FileTokenLedger(file, '/w').update((spent) => spent);
    expect(outcome.success).to.equal(false);
  });
});
