import { connect as connectPlain, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { RecordReceiver } from './audit-stream.js';
import { timeOf } from './record-time.js';

const CONNECT_MS = 5_000;
const WRITE_MS = 10_000;
/** Facility 13, log audit; severity 6, informational. */
const PRIORITY = 13 * 8 + 6;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'syslog:': 601, 'syslogs:': 6514 };

/**
 * RFC 5424 over TCP (RFC 6587, octet counting) or TLS (RFC 5425). The protocol has no acknowledgement: delivered means
 * that the operating system has taken the bytes.
 */
export class SyslogReceiver implements RecordReceiver {
  #socket: Socket | undefined;
  #closed = false;

  constructor(
    private readonly address: URL,
    private readonly writeMs = WRITE_MS,
  ) {}

  async deliver(records: readonly string[]): Promise<void> {
    const socket = this.#socket ?? (await this.#connect());
    const bytes = Buffer.concat(records.map(frame));
    await new Promise<void>((resolve, reject) => {
      const onClose = () => settle(new Error('The syslog server ended the connection.'));
      const late = setTimeout(() => {
        settle(new Error(`The syslog server accepted no data for ${this.writeMs / 1000} s.`));
        socket.destroy();
      }, this.writeMs);
      const settle = (error?: Error | null) => {
        clearTimeout(late);
        socket.removeListener('close', onClose);
        if (error) reject(error);
        else resolve();
      };
      socket.once('close', onClose);
      socket.write(bytes, settle);
    });
  }

  close(): void {
    this.#closed = true;
    this.#socket?.end();
    this.#socket = undefined;
  }

  async #connect(): Promise<Socket> {
    const { protocol, port } = this.address;
    const host = this.address.hostname.replace(/^\[|\]$/g, '');
    const place = { host, port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) };
    const socket = protocol === 'syslogs:' ? connectTls(place) : connectPlain(place);
    await opened(socket, protocol === 'syslogs:' ? 'secureConnect' : 'connect');
    socket.on('error', () => socket.destroy());
    if (this.#closed) {
      socket.destroy();
      throw new Error('The stream is closed.');
    }
    // Only close() keeps the process alive for records.
    socket.unref();
    // Unread answers would fill the memory.
    socket.resume();
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    this.#socket = socket;
    return socket;
  }
}

function opened(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (why: string) => {
      clearTimeout(late);
      reject(new Error(`The syslog server does not answer: ${why}.`));
      socket.destroy();
    };
    const onError = (error: Error) => failed(error.message);
    const onClose = () => failed('it ended the connection');
    const late = setTimeout(() => failed(`no connection within ${CONNECT_MS / 1000} s`), CONNECT_MS);
    socket.on('error', onError);
    socket.once('close', onClose);
    socket.once(event, () => {
      clearTimeout(late);
      socket.removeListener('error', onError);
      socket.removeListener('close', onClose);
      resolve();
    });
  });
}

function frame(record: string): Buffer {
  const text = `<${PRIORITY}>1 ${timeOf(record) ?? '-'} ${hostName()} castellan ${process.pid} audit - ${record}`;
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/** The header takes printable ASCII alone. */
function hostName(): string {
  return (
    hostname()
      .replace(/[^\x21-\x7e]/g, '')
      .slice(0, 255) || '-'
  );
}
