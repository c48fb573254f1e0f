import { inject, injectable } from 'inversify';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { AuditReader, type AuditSegmentFile } from '../ports/audit/audit-reader.js';

/** Which records to return; a missing condition excludes nothing. */
export interface AuditFilter {
  readonly caller?: string;
  readonly tool?: string;
  /** Records at this time or later, in their own format: ISO 8601 in UTC. */
  readonly since?: string;
}

export interface TailAuditQuery extends AuditFilter {
  readonly count: number;
  readonly file?: string;
}

export type AuditTailRecord = Readonly<Record<string, unknown>>;

/** Returns the last records of all segments, oldest first. It does not verify them. */
@injectable()
export class TailAuditHandler {
  constructor(@inject(AuditReader) private readonly reader: AuditReader) {}

  async handle({ count, file, ...filter }: TailAuditQuery): Promise<Result<readonly AuditTailRecord[]>> {
    const files = await this.reader.open(file);
    if (!files.success) return files;
    const records: AuditTailRecord[] = [];
    for (const segment of files.value.segments) {
      if (segment.present) records.push(...(await lastOf(segment, count, filter)));
    }
    records.sort((one, other) => compare(timeOf(one), timeOf(other)));
    return Result.ok(records.slice(Math.max(0, records.length - count)));
  }
}

/** Usually the end of a segment is enough; with a filter, all of it is read. */
async function lastOf(
  segment: AuditSegmentFile,
  count: number,
  filter: AuditFilter,
): Promise<readonly AuditTailRecord[]> {
  const records: AuditTailRecord[] = [];
  const take = (line: string | undefined) => {
    const record = line === undefined ? undefined : parseRecord(line);
    if (record === undefined || record.kind === 'segment' || !isWanted(record, filter)) return;
    records.push(record);
    if (records.length > 2 * count) records.splice(0, records.length - count);
  };
  if (Object.keys(filter).length === 0) for (const line of await segment.lastLines(count)) take(line);
  else for await (const { text } of segment.lines()) take(text);
  return records;
}

function isWanted(record: AuditTailRecord, { caller, tool, since }: AuditFilter): boolean {
  if (caller !== undefined && record.caller !== caller && record.principal !== caller) return false;
  if (tool !== undefined && record.tool !== tool) return false;
  return since === undefined || timeOf(record) >= since;
}

function parseRecord(line: string): AuditTailRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isJsonObject(record) ? record : undefined;
  } catch {
    // A line that is not JSON was tampered with: verify reports it, and there is nothing to show.
    return undefined;
  }
}

function timeOf(record: AuditTailRecord): string {
  return typeof record.time === 'string' ? record.time : '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
