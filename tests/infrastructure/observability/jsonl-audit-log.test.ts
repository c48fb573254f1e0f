import { createHmac } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { TailAuditHandler } from '../../../src/application/audit/tail-audit.js';
import { FileAuditReader } from '../../../src/infrastructure/observability/file-audit-reader.js';
import { AuditFixture, auditedCall, auditOutcome, START } from '../../support/audit-fixture.js';

describe('JsonlAuditLog', () => {
  let fixture: AuditFixture;
  beforeEach(async () => {
    fixture = await AuditFixture.create();
  });
  afterEach(() => fixture.remove());

  const tail = async (count: number) => {
    const records = await new TailAuditHandler(new FileAuditReader(fixture.state)).handle({ count });
    if (!records.success) throw new Error(records.error);
    return records.value;
  };

  it('S1-07: records an intent and its outcome with caller, decision, consent, error, time and size', async () => {
    const log = fixture.log();
    const call = auditedCall({
      tool: 'write_file',
      consent: 'phrase',
      decision: { effect: 'consent', reason: 'CONSENT_REQUIRED', rule: 'p.yaml:1:2' },
    });
    const intent = await log.intent({ at: START, call, required: true });
    if (!intent.success) throw new Error(intent.error);
    const outcome = { kind: 'failure' as const, errorType: 'NotFoundError', durationMs: 2.25, bytes: 7 };
    await log.outcome({ at: START + 5, call, outcome, ticket: intent.value });
    await log.close();
    const [first, second] = await tail(10);
    expect(first).to.deep.include({
      n: 2,
      kind: 'intent',
      time: '2025-01-02T03:04:05.000Z',
      correlation: 'c-1',
      session: 's-1',
      caller: 'local',
      transport: 'stdio',
      tool: 'write_file',
      decision: { effect: 'consent', reason: 'CONSENT_REQUIRED', rule: 'p.yaml:1:2' },
      consent: 'phrase',
    });
    expect(second).to.deep.include({
      kind: 'outcome',
      intent: { segment: intent.value.segment, n: 2 },
      outcome: { kind: 'failure', error_type: 'NotFoundError', duration_ms: 2.25, bytes: 7 },
    });
  });

  it('has a required intent on the disk, vouched for by the head, before it answers', async () => {
    const log = fixture.log({ flushAfterMs: 60_000 });
    expect((await log.intent({ at: START, call: auditedCall(), required: true })).success).to.equal(true);
    expect((await readFile(await fixture.segment(), 'utf8')).split('\n')).to.have.length(3);
    expect(await readFile(`${await fixture.segment()}.head`, 'utf8')).to.include('"count":2');
    await log.close();
  });

  it('has room for a record once it is open, and again when the disk has taken what waited', async () => {
    const log = fixture.log({ flushAfterMs: 60_000, queueBytes: 2000 });
    const opening = log.room(START);
    expect(opening, 'not open yet').to.be.instanceOf(Promise);
    await opening;
    expect(log.room(START)).to.equal(undefined);
    for (let n = 1; n <= 10; n += 1) await log.outcome(auditOutcome(n));
    const full = fixture.log({ flushAfterMs: 60_000, queueBytes: 300 });
    await full.room(START);
    await full.outcome(auditOutcome(1));
    await full.outcome(auditOutcome(2));
    const room = full.room(START);
    expect(room, 'full').to.be.instanceOf(Promise);
    await room;
    expect(full.room(START)).to.equal(undefined);
    await full.close();
    await log.close();
  });

  it('brings buffered records to the disk by itself after a while', async () => {
    const log = fixture.log({ flushAfterMs: 10 });
    await log.outcome(auditOutcome(1));
    const deadline = Date.now() + 10_000;
    const written = async () =>
      (await fixture.segments().catch(() => [])).length > 0 && (await tail(1)).length > 0;
    while (!(await written()) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await written()).to.equal(true);
    await log.close();
  });

  it('seals with the HMAC-SHA256 that every other tool computes', async () => {
    await fixture.write(1);
    const key = (await readFile(join(fixture.state, 'audit.key'), 'utf8')).trim();
    const [header = '', record = ''] = (await readFile(await fixture.segment(), 'utf8')).split('\n');
    const split = (line: string) => line.split(',"seal":"');
    const [body = '', seal] = split(record);
    const previous = split(header)[1]?.slice(0, -2);
    const expected = createHmac('sha256', key).update(`${previous}\n${body}`).digest('base64url');
    expect(seal).to.equal(`${expected}"}`);
  });

  it('gives equal arguments equal hashes, and shows none of them', async () => {
    const log = fixture.log();
    await log.outcome(auditOutcome(1, { arguments: { a: 1, b: 'hunter2' } }));
    await log.outcome(auditOutcome(2, { arguments: { b: 'hunter2', a: 1 } }));
    await log.outcome(auditOutcome(3, { arguments: { b: 'hunter3', a: 1 } }));
    await log.close();
    const [one, two, three] = (await tail(3)).map((record) => JSON.stringify(record.arguments));
    expect(one).to.match(/^\{"hmac":"[0-9a-f]{32}"\}$/);
    expect(one).to.equal(two);
    expect(one).to.not.equal(three);
    expect(await readFile(await fixture.segment(), 'utf8')).to.not.include('hunter');
  });

  it('S3-18: shows shapes without content, and whole arguments without secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(10)}`;
    const args = { path: 'a.txt', password: 'hunter2', text: `token ${secret} end` };
    const log = fixture.log();
    await log.outcome(auditOutcome(1, { arguments: args, argumentDetail: 'shape' }));
    await log.outcome(auditOutcome(2, { arguments: args, argumentDetail: 'full' }));
    await log.outcome(auditOutcome(3, { tool: `tool_${secret}` }));
    await log.close();
    const [shape, full] = await tail(3);
    expect(shape?.arguments).to.deep.include({
      shape: { path: 'string(5)', password: '[castellan-redacted:name]', text: 'string(54)' },
    });
    expect(full?.arguments).to.have.nested.property('full.path', 'a.txt');
    const text = await readFile(await fixture.segment(), 'utf8');
    expect(text).to.not.include('hunter2').and.not.include(secret);
  });

  it('keeps every record on one line, whatever the names contain, and of bounded length', async () => {
    const log = fixture.log();
    const nasty = 'a\nb\r\u2028\u0000\u001b[31m"\\\ud800é';
    const call = {
      tool: nasty,
      arguments: { [nasty]: nasty, big: 'x'.repeat(100_000) },
      argumentDetail: 'full' as const,
    };
    await log.outcome(auditOutcome(1, { ...call, caller: { id: 'i'.repeat(9999), transport: 'http' } }));
    await log.outcome(auditOutcome(2, { arguments: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }));
    await log.close();
    const text = await readFile(await fixture.segment(), 'utf8');
    expect(text.split('\n')).to.have.length(4);
    expect(text.length).to.be.lessThan(20_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is proved.
    expect(text).to.not.match(/[\u0000-\u0009\u000b-\u001f]/);
    expect((await fixture.verify()).sound).to.equal(true);
  });

  it('makes key and files for their owner alone, and refuses a key that others can read', async () => {
    await fixture.write(1);
    const modes = await Promise.all(
      [join(fixture.state, 'audit.key'), await fixture.segment(), `${await fixture.segment()}.head`].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    expect(modes).to.deep.equal([0o600, 0o600, 0o600]);
    expect((await stat(fixture.state)).mode & 0o777).to.equal(0o700);
    await chmod(join(fixture.state, 'audit.key'), 0o644);
    const refused = await fixture.log().intent({ at: START, call: auditedCall(), required: true });
    expect(!refused.success && refused.error).to.include('can be read by others');
  });

  it('fails a required intent and an outcome when nothing can be written, and works again later', async () => {
    await writeFile(fixture.state, 'a file where the folder should be');
    const log = fixture.log();
    const refused = await log.intent({ at: START, call: auditedCall(), required: true });
    expect(!refused.success && refused.error).to.include('state folder');
    expect((await log.outcome(auditOutcome(1))).success).to.equal(false);
    await rm(fixture.state);
    expect((await log.intent({ at: START + 5000, call: auditedCall(), required: true })).success).to.equal(
      true,
    );
    await log.close();
    expect((await log.outcome(auditOutcome(2))).success).to.equal(false);
  });

  it('bounds what waits in memory, says how many records were lost, and goes on with a sound chain', async () => {
    const log = fixture.log({ queueBytes: 4000, flushAfterMs: 60_000 });
    await log.outcome(auditOutcome(0));
    await rm(fixture.folder, { recursive: true });
    await writeFile(fixture.folder, 'no folder');
    const results = [];
    for (let index = 1; index < 50; index += 1)
      results.push((await log.outcome(auditOutcome(index))).success);
    const lost = results.filter((recorded) => !recorded).length;
    expect(lost).to.be.greaterThan(30);
    expect((await log.intent({ at: START, call: auditedCall(), required: true })).success).to.equal(false);
    await rm(fixture.folder);
    await mkdir(fixture.folder);
    expect((await log.flush()).success).to.equal(true);
    expect((await log.outcome(auditOutcome(99))).success).to.equal(true);
    await log.close();
    expect((await tail(2))[0]?.kind === 'gap' || (await tail(2))[1]?.kind === 'gap').to.equal(true);
    expect((await tail(100)).find(({ kind }) => kind === 'gap')).to.include({ lost: lost + 1 });
    expect((await fixture.verify()).sound).to.equal(true);
  });

  for (const ticks of [0, 1, 2, 3, 5, 8]) {
    it(`closes whole while a write is under way, ${ticks} steps into it`, async () => {
      const log = fixture.log();
      await log.outcome(auditOutcome(1));
      const flushed = log.flush();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      expect(await log.close()).to.include({ success: true });
      expect(await flushed).to.include({ success: true });
      const { sound, segments } = await fixture.verify();
      expect(sound).to.equal(true);
      expect(segments.map(({ state }) => state)).to.deep.equal(['closed']);
    });
  }

  it('begins a new segment when one is full, linked to the one before', async () => {
    const log = fixture.log({ segmentBytes: 2000 });
    for (let index = 0; index < 40; index += 1) await log.outcome(auditOutcome(index));
    await log.close();
    const verified = await fixture.verify();
    expect(verified.sound).to.equal(true);
    expect(verified.segments.length).to.be.greaterThan(4);
    expect(verified.segments.every(({ state }) => state === 'closed')).to.equal(true);
    expect((await tail(1000)).map(({ correlation }) => correlation)).to.deep.equal(
      Array.from({ length: 40 }, (_, index) => `c-${index}`),
    );
  });

  it('removes the oldest segments beyond its bound, and the rest stays sound', async () => {
    const keep = { segments: 3, bytes: 1e9 };
    for (let round = 0; round < 3; round += 1) {
      const log = fixture.log({ segmentBytes: 2000, keep });
      for (let index = 0; index < 40; index += 1) await log.outcome(auditOutcome(round * 1000 + index));
      await log.close();
    }
    const log = fixture.log({ keep });
    await log.outcome(auditOutcome(5000));
    await log.close();
    expect(await fixture.segments()).to.have.length(3);
    expect((await fixture.verify()).problems).to.deep.equal([]);
    const tombstones = (await readdir(fixture.folder)).filter((name) => name.endsWith('.head')).length - 3;
    expect(tombstones).to.equal(1);
  });

  it('shares one write to the disk between intents that come together', async () => {
    const log = fixture.log();
    await log.intent({ at: START, call: auditedCall(), required: true });
    const many = Array.from({ length: 200 }, () =>
      log.intent({ at: START, call: auditedCall(), required: true }),
    );
    const results = await Promise.all(many);
    expect(results.every(({ success }) => success)).to.equal(true);
    expect(new Set(results.map((result) => result.success && result.value.record)).size).to.equal(200);
    await log.close();
    expect((await fixture.verify()).segments[0]?.records).to.equal(202);
  });
});
