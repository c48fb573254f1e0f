import { inject, injectable } from 'inversify';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { AuditReader } from '../ports/audit/audit-reader.js';

export interface TailAuditQuery {
  readonly count: number;
  readonly file?: string;
}

export type AuditTailRecord = Readonly<Record<string, unknown>>;

/** The last records of all segments together, oldest first. It shows; it does not verify. */
@injectable()
export class TailAuditHandler {
  constructor(@inject(AuditReader) private readonly reader: AuditReader) {}

  async handle({ count, file }: TailAuditQuery): Promise<Result<readonly AuditTailRecord[]>> {
    const files = await this.reader.open(file);
    if (!files.success) return files;
    const records: AuditTailRecord[] = [];
    for (const segment of files.value.segments) {
      if (!segment.present) continue;
      for (const line of await segment.lastLines(count)) {
        const record = parseRecord(line);
        if (record !== undefined && record.kind !== 'segment') records.push(record);
      }
    }
    records.sort((one, other) => compare(timeOf(one), timeOf(other)));
    return Result.ok(records.slice(Math.max(0, records.length - count)));
  }
}

function parseRecord(line: string): AuditTailRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isJsonObject(record) ? record : undefined;
  } catch {
    // A line that is no JSON was tampered with: verify finds it, and there is nothing to show.
    return undefined;
  }
}

function timeOf(record: AuditTailRecord): string {
  return typeof record.time === 'string' ? record.time : '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
