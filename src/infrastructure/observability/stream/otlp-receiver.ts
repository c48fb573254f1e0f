import { isJsonObject } from '../../../domain/json-value.js';
import { PermanentRefusal, type RecordReceiver } from './audit-stream.js';
import { timeOf } from './record-time.js';

const ANSWER_MS = 10_000;
const MAX_ANSWER = 64 * 2 ** 10;
/** The statuses that OTLP allows to retry. */
const RETRIED: readonly number[] = [429, 502, 503, 504];
const INFORMATION = 9;
const NANOSECONDS = 1_000_000n;

/** OTLP over HTTP with JSON: each record is a log record whose body is the line on the disk. */
export class OtlpReceiver implements RecordReceiver {
  readonly #ending = new AbortController();

  constructor(private readonly address: URL) {}

  async deliver(records: readonly string[]): Promise<void> {
    const response = await fetch(this.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(records)),
      redirect: 'error',
      signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_MS)]),
    }).catch((error: unknown) => {
      throw new Error(`The OTLP receiver does not answer: ${causeOf(error)}.`);
    });
    const answer = await firstOf(response.body);
    if (!response.ok) {
      const why = `The OTLP receiver answers ${response.status}.`;
      throw RETRIED.includes(response.status) ? new Error(why) : new PermanentRefusal(why);
    }
    const rejected = rejectedIn(answer);
    if (rejected > 0) throw new PermanentRefusal(`The OTLP receiver rejects ${rejected} records.`, rejected);
  }

  close(): void {
    this.#ending.abort();
  }
}

function requestOf(records: readonly string[]): object {
  const logRecords = records.map((record) => {
    const time = timeOf(record);
    return {
      ...(time !== undefined && { timeUnixNano: String(BigInt(Date.parse(time)) * NANOSECONDS) }),
      severityNumber: INFORMATION,
      severityText: 'INFO',
      eventName: 'castellan.audit',
      body: { stringValue: record },
    };
  });
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'castellan' } }] };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'castellan.audit' }, logRecords }] }] };
}

/** A longer answer is cut: a receiver has little to say. */
async function firstOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size >= MAX_ANSWER) break;
  }
  return Buffer.concat(parts).toString();
}

/** Returns how many records a partial success leaves out. A receiver that says nothing has taken all. */
function rejectedIn(answer: string): number {
  try {
    const said: unknown = JSON.parse(answer);
    const partial = isJsonObject(said) ? said.partialSuccess : undefined;
    const count = isJsonObject(partial) ? Number(partial.rejectedLogRecords ?? 0) : 0;
    return Number.isSafeInteger(count) ? count : 0;
  } catch {
    return 0;
  }
}

/** fetch() says "fetch failed" and has the reason in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
