import { AuditStream, type RecordReceiver, type StreamOptions } from './audit-stream.js';

/** `address`: as the settings have checked it. The receiver's code is loaded with the first records. */
export function openAuditStream(address: string, options: StreamOptions): AuditStream {
  return new AuditStream(new LateReceiver(new URL(address)), options);
}

class LateReceiver implements RecordReceiver {
  #receiver: Promise<RecordReceiver> | undefined;
  #closed = false;

  constructor(private readonly address: URL) {}

  async deliver(records: readonly string[]): Promise<void> {
    this.#receiver ??= loadReceiver(this.address);
    const receiver = await this.#receiver;
    if (this.#closed) throw new Error('The stream is closed.');
    return receiver.deliver(records);
  }

  close(): void {
    this.#closed = true;
    void this.#receiver?.then((receiver) => receiver.close());
  }
}

async function loadReceiver(address: URL): Promise<RecordReceiver> {
  if (address.protocol.startsWith('syslog')) {
    const { SyslogReceiver } = await import('./syslog-receiver.js');
    return new SyslogReceiver(address);
  }
  const { OtlpReceiver } = await import('./otlp-receiver.js');
  return new OtlpReceiver(address);
}
