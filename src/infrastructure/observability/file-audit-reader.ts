import { closeSync, createReadStream, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type {
  AuditFileLine,
  AuditFiles,
  AuditReader,
  AuditSegmentFile,
} from '../../application/ports/audit/audit-reader.js';
import { Result } from '../../domain/result.js';
import { openForeignFile } from '../state/foreign-file.js';
import { isSegmentName, listHeads, listSegments } from './audit-folder.js';
import { readAuditHead } from './audit-head.js';
import { readAuditKey } from './audit-key.js';
import { AuditSeal } from './audit-seal.js';

const BLOCK = 64 * 1024;
const MAX_LINE = 4 * 2 ** 20;
const MAX_TAIL = 64 * 2 ** 20;
const LINE_BREAK = 0x0a;

export class FileAuditReader implements AuditReader {
  constructor(private readonly stateFolder: string) {}

  async open(file?: string): Promise<Result<AuditFiles>> {
    const key = await readAuditKey(this.stateFolder);
    if (!key.success) return key;
    const seal = new AuditSeal(key.value);
    try {
      const single = file !== undefined && !(await stat(file)).isDirectory();
      if (single && !(await looksLikeSegment(file))) return noSegment(file);
      const folder = single ? dirname(file) : (file ?? join(this.stateFolder, 'audit'));
      const names = single ? new Map([[basename(file), true]]) : await namesIn(folder);
      const segments = [...names].map(([name, present]) => segmentFile(folder, name, present, seal));
      return Result.ok({ seal: seal.seal, segments: await Promise.all(segments), single });
    } catch (error) {
      return Result.failure(
        `The audit log cannot be read: ${error instanceof Error ? error.message : String(error)}. ` +
          'Name a segment that exists, or run as the user who owns the log.',
        'AuditUnreadable',
      );
    }
  }
}

/** By its name, or by its first line: a segment of ours that was changed is still one. */
async function looksLikeSegment(file: string): Promise<boolean> {
  for await (const { text } of lines(file))
    return isSegmentName(basename(file)) || text?.startsWith('{"n":') === true;
  return isSegmentName(basename(file));
}

function noSegment(file: string): Result<never> {
  return Result.failure(
    `${file} is no segment of an audit log. Segments are the .jsonl files in the audit folder of the state folder; ` +
      'without a file, the whole log is checked.',
    'AuditUnreadable',
  );
}

async function namesIn(folder: string): Promise<ReadonlyMap<string, boolean>> {
  const names = new Map<string, boolean>();
  for (const name of await listHeads(folder)) {
    // A crash between the making of a head and its first line leaves an empty one and no segment.
    if ((await stat(join(folder, `${name}.head`))).size > 0) names.set(name, false);
  }
  for (const name of await listSegments(folder)) names.set(name, true);
  return new Map([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function segmentFile(
  folder: string,
  name: string,
  present: boolean,
  seal: AuditSeal,
): Promise<AuditSegmentFile> {
  const path = join(folder, name);
  // Missing and damaged are the same news to whoever verifies: nothing vouches for the segment's end.
  const head = await readAuditHead(`${path}.head`, seal).catch(() => undefined);
  return { name, present, head, lines: () => lines(path), lastLines: (count) => lastLines(path, count) };
}

async function* lines(path: string): AsyncGenerator<AuditFileLine> {
  let rest: Buffer = Buffer.alloc(0);
  const fd = regularFile(path).descriptor;
  for await (const chunk of createReadStream(path, { fd, highWaterMark: BLOCK })) {
    let buffer: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = buffer.indexOf(LINE_BREAK); end >= 0; end = buffer.indexOf(LINE_BREAK)) {
      yield { text: decode(buffer.subarray(0, end)), fragment: false };
      buffer = buffer.subarray(end + 1);
    }
    // No record is that long; keeping the start is enough for it to fail.
    rest = buffer.length > MAX_LINE ? buffer.subarray(0, MAX_LINE) : buffer;
  }
  if (rest.length > 0) yield { text: undefined, fragment: true };
}

/** Strict, so that no two different byte sequences read as the same text. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // No UTF-8: a record that was changed, and the check says so.
    return undefined;
  }
}

async function lastLines(path: string, count: number): Promise<readonly string[]> {
  const { descriptor, status } = regularFile(path);
  try {
    let start = status.size;
    let tail: Buffer = Buffer.alloc(0);
    let breaks = 0;
    while (start > 0 && breaks <= count && tail.length < MAX_TAIL) {
      const length = Math.min(BLOCK, start);
      start -= length;
      const buffer = Buffer.alloc(length);
      readSync(descriptor, buffer, 0, length, start);
      breaks += buffer.filter((byte) => byte === LINE_BREAK).length;
      tail = Buffer.concat([buffer, tail]);
    }
    const whole = tail.toString('utf8').split('\n').slice(0, -1);
    return whole.slice(Math.max(0, whole.length - count));
  } finally {
    closeSync(descriptor);
  }
}

/** Whoever verifies a log names its file: a pipe or a device of that name would never end. */
function regularFile(path: string) {
  const opened = openForeignFile(path, { links: 'anywhere' });
  if (!('kind' in opened)) return opened;
  throw new Error(opened.kind === 'missing' ? `there is no file ${path}` : `${path}: ${opened.why}`);
}
