import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');

/** How many requirements each source has. */
const SOURCES: Readonly<Record<string, number>> = { S0: 68, S1: 24, S2: 23, S3: 51, S4: 27 };

function allIds(): readonly string[] {
  return Object.entries(SOURCES).flatMap(([source, count]) =>
    Array.from({ length: count }, (_, index) => `${source}-${String(index + 1).padStart(2, '0')}`),
  );
}

/** The titles of all tests, with the ids that stand in them. */
function titles(): readonly {
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
}[] {
  const folder = join(ROOT, 'tests');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        // Titles of tests, and of the rows of a table whose title is made from them.
        /(?:\b(?:it|describe)\(\s*|(?<=\[)(?=['"`]S\d-\d\d: ))(['"`])((?:\\.|(?!\1).)*)\1/gs,
      ),
    ].map(([, , title = '']) => ({
      file,
      title,
      ids: [...title.matchAll(/S[0-4]-\d{2}/g)].map(([id]) => id),
    })),
  );
}

describe('Requirements', () => {
  const named = new Set(titles().flatMap(({ ids }) => ids));
  const explained = readFileSync(join(ROOT, 'docs/contributing/requirements.md'), 'utf8');
  const open = explained.slice(explained.indexOf('## Not proved yet'));

  it('each stand in the title of a test, or in the list of those that are not proved yet', () => {
    const missing = allIds().filter((id) => !named.has(id) && !open.includes(id));
    expect(missing).to.deep.equal([]);
  });

  it('leave the list of those not proved yet once a test names them', () => {
    const stale = allIds().filter((id) => named.has(id) && open.includes(id));
    expect(stale).to.deep.equal([]);
  });

  for (const id of ['S3-45', 'S4-01', 'S4-20', 'S3-19']) {
    it(`${id}: what differs from its source is written down with the reason`, () => {
      const row = explained.split('\n').find((line) => line.startsWith('|') && line.includes(id));
      const cells = row?.split(' | ').map((cell) => cell.replaceAll('|', '').trim()) ?? [];
      expect(cells).to.have.length(3);
      for (const cell of cells) expect(cell.split(' ').length, cell).to.be.at.least(4);
    });
  }

  it('stand at most two in a title, and none is invented', () => {
    const known = new Set(allIds());
    for (const { file, title, ids } of titles()) {
      expect(ids.length, `${file}: ${title}`).to.be.at.most(2);
      for (const id of ids) expect(known.has(id), `${file}: ${id}`).to.equal(true);
    }
  });
});
