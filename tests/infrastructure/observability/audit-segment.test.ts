import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readAuditHead } from '../../../src/infrastructure/observability/audit-head.js';
import { AuditSeal } from '../../../src/infrastructure/observability/audit-seal.js';
import { AuditSegment } from '../../../src/infrastructure/observability/audit-segment.js';

const NAME = 'audit-20250102T030405000Z-1-00000000.jsonl';

describe('AuditSegment', () => {
  const seal = new AuditSeal('0'.repeat(64));
  let folder: string;
  let segment: AuditSegment;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-segment-'));
    segment = new AuditSegment(folder, NAME, seal, '2025-01-02T03:04:05.000Z', undefined);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const onDisk = async () => {
    const path = join(folder, NAME);
    const lines = (await readFile(path, 'utf8')).split('\n').length - 1;
    const head = await readAuditHead(`${path}.head`, seal);
    return { lines, count: head?.count, state: head?.state };
  };

  it('vouches for each record that came while its file was being opened', async () => {
    const committed = segment.commit();
    segment.append(() => ',"kind":"outcome"');
    await committed;
    expect(await onDisk()).to.deep.equal({ lines: 2, count: 2, state: 'open' });
    await segment.release();
  });

  it('closes with all records when it was finished while its file was being opened', async () => {
    const committed = segment.commit();
    segment.append(() => ',"kind":"outcome"');
    segment.finish();
    await committed;
    await segment.commit();
    expect(await onDisk()).to.deep.equal({ lines: 2, count: 2, state: 'closed' });
  });
});
