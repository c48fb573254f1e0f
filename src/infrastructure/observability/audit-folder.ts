import { randomBytes } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SegmentLink } from '../../domain/audit/audit-chain.js';
import type { AuditHead } from '../../domain/audit/audit-head-state.js';
import { linkOfHeader } from '../../domain/audit/segment-check.js';
import { hasErrno } from '../state/errno.js';
import { openForeignFile } from '../state/foreign-file.js';
import { isProcess } from '../state/process-identity.js';
import { AuditHeadFile, readAuditHead } from './audit-head.js';
import type { AuditSeal } from './audit-seal.js';

const NAME = /^audit-\d{8}T\d{9}Z-(\d+)-[0-9a-f]{8}\.jsonl$/;
const HEADER_BYTES = 1024;

export interface Retention {
  readonly segments: number;
  readonly bytes: number;
  /** Segments that were last written longer ago are removed; absent: at any age they stay. */
  readonly ageMs?: number;
}

const BY_SIZE: Retention = { segments: 1000, bytes: 256 * 2 ** 20 };
const BY_AGE: Retention = { segments: 100_000, bytes: 4 * 2 ** 30 };

/** What is kept. If a time is said, number and size only keep the disk from filling up. */
export function retentionOf({
  keepMs,
  maxBytes,
}: {
  readonly keepMs?: number;
  readonly maxBytes?: number;
}): Retention {
  const usual = keepMs === undefined ? BY_SIZE : BY_AGE;
  return {
    ...usual,
    ...(maxBytes !== undefined && { bytes: maxBytes }),
    ...(keepMs !== undefined && { ageMs: keepMs }),
  };
}

/** Sorts by time; the random part keeps apart two containers that both run as process 1. */
export function segmentName(time: string, pid: number): string {
  return `audit-${time.replaceAll(/[-:.]/g, '')}-${pid}-${randomBytes(4).toString('hex')}.jsonl`;
}

export function isSegmentName(name: string): boolean {
  return NAME.test(name);
}

/** Oldest first. */
export async function listSegments(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => NAME.test(name)).sort();
}

export async function listHeads(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.head'));
  return names.map((name) => name.slice(0, -'.head'.length)).filter((name) => NAME.test(name));
}

/** What a new segment links to: the newest there is, of whatever process, so that none can vanish unseen. */
export async function newestSegment(folder: string, seal: AuditSeal): Promise<SegmentLink | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of (await listSegments(folder)).toReversed()) {
    const head = await readAuditHead(join(folder, `${name}.head`), seal).catch(() => undefined);
    if (head !== undefined) return { segment: name, count: head.count, seal: head.seal };
  }
  return undefined;
}

interface StoredSegment {
  readonly name: string;
  readonly size: number;
  readonly writtenAt: number;
}

/** Oldest first. */
export async function storedSegments(folder: string): Promise<readonly StoredSegment[]> {
  const names = await listSegments(folder);
  return Promise.all(
    names.map(async (name) =>
      stat(join(folder, name)).then(
        ({ size, mtimeMs }) => ({ name, size, writtenAt: mtimeMs }),
        () => ({ name, size: 0, writtenAt: Number.POSITIVE_INFINITY }),
      ),
    ),
  );
}

/** Removes the oldest segments that nobody writes any more; each leaves its head behind as a tombstone. */
export async function retireSegments(
  folder: string,
  keep: Retention,
  seal: AuditSeal,
  now: number,
): Promise<readonly string[]> {
  const segments = await storedSegments(folder);
  let count = segments.length;
  let bytes = segments.reduce((sum, { size }) => sum + size, 0);
  const retired: string[] = [];
  for (const { name, size, writtenAt } of segments) {
    const isOld = keep.ageMs !== undefined && now - writtenAt > keep.ageMs;
    if (count <= keep.segments && bytes <= keep.bytes && !isOld) break;
    if (!(await retire(folder, name, seal))) continue;
    retired.push(name);
    count -= 1;
    bytes -= size;
  }
  if (retired.length > 0) await removeUnlinkedTombstones(folder, seal);
  return retired;
}

async function retire(folder: string, name: string, seal: AuditSeal): Promise<boolean> {
  const path = join(folder, name);
  const head = await readAuditHead(`${path}.head`, seal).catch(() => undefined);
  // A segment whose head is damaged is evidence, and one that is being written is in use: both stay.
  if (head === undefined || isWritten(name, head)) return false;
  const file = await AuditHeadFile.reopen(`${path}.head`, seal);
  await file.write({ ...head, state: 'retired' }).finally(() => file.close());
  await removeIfPresent(path);
  return true;
}

/** Whether the process that the segment is named after may still add to it. */
export function isWritten(name: string, { state }: Pick<AuditHead, 'state'>): boolean {
  return state === 'open' && isProcess(Number(NAME.exec(name)?.[1]));
}

/** A tombstone is needed for as long as a segment that is still there links to it. */
async function removeUnlinkedTombstones(folder: string, seal: AuditSeal): Promise<void> {
  const present = await listSegments(folder);
  const linked = new Set<string | undefined>();
  for (const name of present) linked.add(linkOfHeader(firstBytes(join(folder, name)))?.segment);
  for (const name of await listHeads(folder)) {
    if (present.includes(name) || linked.has(name)) continue;
    const path = join(folder, `${name}.head`);
    const head = await readAuditHead(path, seal).catch(() => undefined);
    if (head?.state === 'retired') await removeIfPresent(path);
  }
}

/** The first line of a segment. */
export function firstBytes(path: string): string {
  const opened = openForeignFile(path, { links: 'anywhere' });
  // Gone since it was listed, or no segment of ours: it links to nothing.
  if ('kind' in opened) return '';
  try {
    const buffer = Buffer.alloc(HEADER_BYTES);
    const length = readSync(opened.descriptor, buffer, 0, HEADER_BYTES, 0);
    return buffer.toString('utf8', 0, length).split('\n', 1)[0] ?? '';
  } finally {
    closeSync(opened.descriptor);
  }
}

async function removeIfPresent(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    // Another process with the same duty was faster.
    if (!hasErrno(error, 'ENOENT')) throw error;
  }
}
