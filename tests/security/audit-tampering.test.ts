import { createHash } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { AuditFixture, auditOutcome } from '../support/audit-fixture.js';

const RECORDS = 8;

describe('An audit log that somebody tampered with', () => {
  let fixture: AuditFixture;
  let segment: string;
  let original: Buffer;

  before(async () => {
    fixture = await AuditFixture.create();
    await fixture.write(RECORDS);
    segment = await fixture.segment();
    original = await readFile(segment);
  });
  beforeEach(() => writeFile(segment, original));
  after(() => fixture.remove());

  const lines = (): string[] => original.toString().split('\n').slice(0, -1);
  const rewrite = (changed: readonly string[]) =>
    writeFile(segment, changed.map((line) => `${line}\n`).join(''));
  const kinds = async () => (await fixture.verify()).problems.map(({ kind }) => kind);

  it('is sound before anything was done to it', async () => {
    const verified = await fixture.verify();
    expect(verified.problems).to.deep.equal([]);
    expect(verified.sound).to.equal(true);
    expect(verified.segments[0]).to.include({
      records: RECORDS + 1,
      sound: RECORDS + 1,
      torn: false,
      state: 'closed',
    });
  });

  it('is found wherever one byte was changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(original.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(original);
        changed[at] = (changed[at] ?? 0) ^ flip;
        await writeFile(segment, changed);
        expect((await fixture.verify()).sound).to.equal(false);
      }),
      { numRuns: 150 },
    );
  });

  it('is found, with its line, where a record was changed', async () => {
    const changed = lines().map((line, index) =>
      index === 3 ? line.replace('"bytes":12', '"bytes":13') : line,
    );
    await rewrite(changed);
    const verified = await fixture.verify();
    expect(verified.problems[0]).to.include({ kind: 'changed', line: 4 });
    expect(verified.segments[0]?.sound).to.equal(3);
  });

  it('is found where a record was removed', async () => {
    await rewrite(lines().filter((_, index) => index !== 4));
    expect(await kinds()).to.include.members(['misplaced', 'cut']);
  });

  it('is found where two records were swapped', async () => {
    const [header = '', one = '', other = '', ...rest] = lines();
    await rewrite([header, other, one, ...rest]);
    expect(await kinds()).to.include('misplaced');
  });

  it('is found where a record was changed and hashed again without the key', async () => {
    const target = lines()[5] ?? '';
    const body = target.slice(0, target.indexOf(',"seal":"')).replace('"echo"', '"eche"');
    const hash = createHash('sha256').update(body).digest('base64url');
    await rewrite(lines().map((line, index) => (index === 5 ? `${body},"seal":"${hash}"}` : line)));
    expect(await kinds()).to.include('changed');
  });

  it('is found where a record was added at the end', async () => {
    await rewrite([...lines(), lines()[2] ?? '']);
    expect(await kinds()).to.include.members(['misplaced', 'added']);
  });

  it('is found as cut, never as torn, wherever the tail was cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(original.length - 1), async (length) => {
        await writeFile(segment, original);
        await truncate(segment, length);
        const verified = await fixture.verify();
        expect(verified.problems.map(({ kind }) => kind)).to.include('cut');
        expect(verified.segments[0]?.torn).to.equal(false);
      }),
      { numRuns: 100 },
    );
  });
});

describe('An audit folder that somebody tampered with', () => {
  let fixture: AuditFixture;

  beforeEach(async () => {
    fixture = await AuditFixture.create();
    await fixture.write(3);
    await fixture.write(3, 1000);
    await fixture.write(3, 2000);
  });
  afterEach(() => fixture.remove());

  it('is sound as it was written', async () => {
    expect(await fixture.verify()).to.include({ sound: true });
  });

  it('is found where a segment was removed and its head was left', async () => {
    const segments = await fixture.segments();
    await rm(segments[2] ?? '');
    expect((await fixture.verify()).problems[0]).to.include({ kind: 'segment-missing' });
  });

  it('is found where a segment was removed with its head, because the next one links to it', async () => {
    const [, middle = ''] = await fixture.segments();
    await rm(middle);
    await rm(`${middle}.head`);
    expect((await fixture.verify()).problems.map(({ kind }) => kind)).to.deep.equal(['segment-missing']);
  });

  it('is found where a head was removed or changed', async () => {
    const [first = '', second = ''] = await fixture.segments();
    await rm(`${first}.head`);
    await writeFile(
      `${second}.head`,
      (await readFile(`${second}.head`, 'utf8')).replaceAll('"count":4', '"count":3'),
    );
    expect((await fixture.verify()).problems.map(({ kind }) => kind)).to.deep.equal([
      'head-missing',
      'head-missing',
    ]);
  });

  it('is found where two segments changed places', async () => {
    const [first = '', second = ''] = await fixture.segments();
    const [one, other] = [await readFile(first), await readFile(second)];
    await writeFile(first, other);
    await writeFile(second, one);
    expect((await fixture.verify()).problems.map(({ kind }) => kind)).to.include.members([
      'misplaced',
      'link-broken',
    ]);
  });

  it('is found where a segment was written with another key', async () => {
    const other = await AuditFixture.create();
    await other.write(2);
    const [first = ''] = await fixture.segments();
    await writeFile(first, await readFile(await other.segment()));
    await other.remove();
    expect((await fixture.verify()).problems.map(({ kind }) => kind)).to.include('changed');
  });
});

describe('An audit segment that is still open', () => {
  let fixture: AuditFixture;
  beforeEach(async () => {
    fixture = await AuditFixture.create();
  });
  afterEach(() => fixture.remove());

  it('says torn, not cut, when a crash left half a record after what the head vouches for', async () => {
    const log = fixture.log();
    for (let index = 0; index < 4; index += 1) await log.outcome(auditOutcome(index));
    await log.flush();
    const segment = await fixture.segment();
    const whole = await readFile(segment);
    await writeFile(segment, Buffer.concat([whole, whole.subarray(-200, -50)]));
    const verified = await fixture.verify();
    expect(verified.sound).to.equal(true);
    expect(verified.segments[0]).to.include({ torn: true, records: 5, sound: 5, state: 'open' });
    await log.close();
  });

  it('says cut when what the head vouches for is missing', async () => {
    const log = fixture.log();
    for (let index = 0; index < 4; index += 1) await log.outcome(auditOutcome(index));
    await log.flush();
    const segment = await fixture.segment();
    await truncate(segment, (await readFile(segment)).length - 20);
    const verified = await fixture.verify();
    expect(verified.problems.map(({ kind }) => kind)).to.deep.equal(['cut']);
    expect(verified.segments[0]?.torn).to.equal(false);
    await log.close();
  });

  it('accepts whole records that the head does not know yet', async () => {
    const log = fixture.log();
    await log.outcome(auditOutcome(0));
    await log.flush();
    const head = await readFile(`${await fixture.segment()}.head`);
    for (let index = 1; index < 9; index += 1) await log.outcome(auditOutcome(index));
    await log.flush();
    await writeFile(`${await fixture.segment()}.head`, head);
    expect((await fixture.verify()).segments[0]).to.include({ records: 10, torn: false, sound: 10 });
    await log.close();
  });
});
