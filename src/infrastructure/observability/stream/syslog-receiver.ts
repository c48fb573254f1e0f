import { connect as connectPlain, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { RecordReceiver } from './audit-stream.js';
import { timeOf } from './record-time.js';

const CONNECT_MS = 5_000;
/** Facility 13, log audit; severity 6, informational. */
const PRIORITY = 13 * 8 + 6;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'syslog:': 601, 'syslogs:': 6514 };

/** RFC 5424 over a stream (RFC 6587, counted in octets), or over TLS (RFC 5425). */
export class SyslogReceiver implements RecordReceiver {
  #socket: Socket | undefined;

  constructor(private readonly address: URL) {}

  async deliver(records: readonly string[]): Promise<void> {
    const socket = this.#socket ?? (await this.#connect());
    const bytes = Buffer.concat(records.map(frame));
    await new Promise<void>((resolve, reject) => {
      const onClose = () => reject(new Error('The syslog server ended the connection.'));
      socket.once('close', onClose);
      socket.write(bytes, (error) => {
        socket.removeListener('close', onClose);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  close(): void {
    this.#socket?.end();
    this.#socket = undefined;
  }

  async #connect(): Promise<Socket> {
    const { protocol, port } = this.address;
    const host = this.address.hostname.replace(/^\[|\]$/g, '');
    const place = { host, port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) };
    const socket = protocol === 'syslogs:' ? connectTls({ ...place, servername: host }) : connectPlain(place);
    await opened(socket, protocol === 'syslogs:' ? 'secureConnect' : 'connect');
    // A process that has nothing else to do ends; close() is what waits for records.
    socket.unref();
    // What it says is of no interest, and would fill the memory if nobody took it.
    socket.resume();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    this.#socket = socket;
    return socket;
  }
}

function opened(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const late = setTimeout(() => failed(new Error('The syslog server does not answer.')), CONNECT_MS);
    socket.once('error', failed);
    socket.once(event, () => {
      clearTimeout(late);
      socket.removeListener('error', failed);
      resolve();
    });
    socket.once('close', () => clearTimeout(late));
  });
}

function frame(record: string): Buffer {
  const text = `<${PRIORITY}>1 ${timeOf(record) ?? '-'} ${hostname() || '-'} castellan ${process.pid} audit - ${record}`;
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}
