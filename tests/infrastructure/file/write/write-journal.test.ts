import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { WriteJournal } from '../../../../src/infrastructure/file/write/write-journal.js';

/** No process has such a number. */
const DEAD = '4194999-1';

describe('WriteJournal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const leave = (name: string) =>
    writeFileSync(join(folder, `writes-${DEAD}.${name}.jsonl`), '{"folder":"/somewhere"}\n{"fold');

  it('hands over what a dead process left, without its torn line, and forgets it', async () => {
    leave('a');
    const work: unknown[] = [];
    const clean = async (left: unknown) => work.push(left);
    expect(await new WriteJournal(folder).recover(clean)).to.equal(1);
    expect(work).to.deep.equal([{ kind: 'folder', path: '/somewhere', owner: DEAD }]);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('is not surprised by another server that cleans up at the same time', async () => {
    leave('a');
    leave('b');
    const two = [new WriteJournal(folder), new WriteJournal(folder)];
    const cleaned = await Promise.all(two.map((journal) => journal.recover(() => Promise.resolve(1))));
    expect(cleaned[0]).to.equal(2);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('is not surprised by a journal that goes before it is read', async () => {
    leave('a');
    leave('b');
    const clean = async () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      return 1;
    };
    expect(await new WriteJournal(folder).recover(clean)).to.equal(1);
  });
});
