import { PermanentRefusal, type RecordReceiver } from './audit-stream.js';
import { timeOf } from './record-time.js';

const ANSWER_MS = 10_000;
/** The protocol says that these may be sent again. */
const RETRIED: readonly number[] = [429, 502, 503, 504];
const INFORMATION = 9;
const NANOSECONDS = 1_000_000n;

/** OTLP over HTTP with JSON: each record is a log record, whose body is the line on the disk. */
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
    });
    await response.body?.cancel();
    if (response.ok) return;
    const why = `The OTLP receiver answers ${response.status}.`;
    throw RETRIED.includes(response.status) ? new Error(why) : new PermanentRefusal(why);
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
