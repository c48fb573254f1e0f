import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { AuditArchive } from '../../../src/infrastructure/observability/audit-archive.js';
import { retentionOf, retireSegments } from '../../../src/infrastructure/observability/audit-folder.js';
import { openAuditKey } from '../../../src/infrastructure/observability/audit-key.js';
import { AuditSeal } from '../../../src/infrastructure/observability/audit-seal.js';
import { AuditFixture, auditOutcome } from '../../support/audit-fixture.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

describe('an audit log whose old segments are archived', () => {
  let fixture: AuditFixture;
  let names: readonly string[];

  beforeEach(async () => {
    fixture = await AuditFixture.create();
    for (let index = 0; index < 4; index += 1) {
      const log = fixture.log();
      await log.room?.(NOW + index);
      for (let n = 0; n < 3; n += 1) await log.outcome({ ...auditOutcome(n), at: NOW + index });
      await log.close();
    }
    const files = await fixture.segments();
    names = files.map((file) => basename(file));
    for (const [index, file] of files.entries()) {
      const when = (NOW - (100 - 30 * index) * DAY) / 1000;
      await utimes(file, when, when);
    }
  });
  afterEach(() => fixture.remove());

  const archive = () => new AuditArchive(fixture.state);
  const moved = async (files: readonly string[]) => {
    const target = join(fixture.root, 'elsewhere');
    await mkdir(target, { recursive: true });
    for (const file of files) await rename(join(fixture.folder, file), join(target, file));
    return target;
  };
  const oldest = () => String(names[0]);

  it('is sound after prune, which keeps what the next segment links to', async () => {
    const pruned = await archive().prune(NOW - 50 * DAY, NOW);
    expect(pruned.success && pruned.value).to.deep.equal(names.slice(0, 2));
    expect(await fixture.verify()).to.include({ verdict: 'sound' });
    expect(await readdir(fixture.folder)).to.include(`${names[1]}.head`);
  });

  it('is exported as it is, twice without harm, and can be checked there', async () => {
    const target = join(fixture.root, 'archive');
    for (let times = 0; times < 2; times += 1) {
      const exported = await archive().export(target, NOW - 50 * DAY);
      expect(exported.success && exported.value).to.deep.equal(names.slice(0, 2));
    }
    expect(await fixture.verify(target)).to.include({ verdict: 'sound' });
    await archive().prune(NOW - 50 * DAY, NOW);
    const late = join(fixture.root, 'late');
    await archive().export(late, NOW);
    expect(await fixture.verify(late), 'an archive that begins later').to.include({ verdict: 'sound' });
    await writeFile(join(target, oldest()), 'another file');
    await fixture.write(1);
    const refused = await archive().export(target, Number.MAX_SAFE_INTEGER);
    expect(refused.success, 'nothing is overwritten').to.equal(true);
    const text = await readFile(join(target, oldest()), 'utf8');
    expect(text).to.equal('another file');
    expect((await fixture.verify(target)).verdict).to.equal('tampered');
  });

  for (const [how, files] of [
    ['with its head', (name: string) => [name, `${name}.head`]],
    ['without its head', (name: string) => [name]],
  ] as const)
    it(`is incomplete, not tampered with, where the first was moved ${how}, and sound when that is accepted`, async () => {
      await moved(files(oldest()));
      const found = await fixture.verify();
      expect(found).to.include({ verdict: 'incomplete', sound: false });
      expect(found.problems.map(({ kind, segment }) => [kind, segment])).to.deep.equal([
        ['not-here', oldest()],
      ]);
      expect(found.problems[0]?.message).to.match(/4 records, last seal \S{43}\)/);
      const accepted = await archive().acceptMissing();
      expect(accepted.success && accepted.value).to.deep.equal([oldest()]);
      expect(await fixture.verify()).to.include({ verdict: 'sound' });
    });

  it('was tampered with where one in the middle is gone, and that cannot be accepted', async () => {
    await moved([String(names[2]), `${names[2]}.head`]);
    expect(await fixture.verify()).to.include({ verdict: 'tampered' });
    await archive().acceptMissing();
    expect(await fixture.verify()).to.include({ verdict: 'tampered' });
  });

  it('says apart that the beginning is not here and that something else was changed', async () => {
    await moved([oldest(), `${oldest()}.head`]);
    const last = join(fixture.folder, String(names[3]));
    await writeFile(last, (await readFile(last, 'utf8')).replace('"bytes":12', '"bytes":13'));
    expect(await fixture.verify()).to.include({ verdict: 'tampered' });
  });

  it('keeps what is younger than `keep`, whatever its size within the bound, and removes what is older', async () => {
    const key = await openAuditKey(fixture.state);
    if (!key.success) throw new Error(key.error);
    const seal = new AuditSeal(key.value);
    const keep = retentionOf({ keepMs: 90 * DAY });
    expect(await retireSegments(fixture.folder, keep, seal, NOW)).to.deep.equal(names.slice(0, 1));
    const small = retentionOf({ keepMs: 90 * DAY, maxBytes: 1 });
    expect(await retireSegments(fixture.folder, small, seal, NOW)).to.deep.equal(names.slice(1));
    expect(retentionOf({})).to.deep.equal({ segments: 1000, bytes: 256 * 2 ** 20 });
    expect(await fixture.verify()).to.include({ verdict: 'sound' });
  });
});
