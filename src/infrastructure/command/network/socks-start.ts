import type { Socket } from 'node:net';
import { type Authority, parseHost } from './authority.js';
import { collect } from './first-bytes.js';

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const ADDRESS_V4 = 1;
const NAME = 3;
const ADDRESS_V6 = 4;
const NO_METHOD = Buffer.from([VERSION, 0xff]);
const METHOD = Buffer.from([VERSION, NO_AUTHENTICATION]);
const REFUSED = Buffer.from([VERSION, 2, 0, ADDRESS_V4, 0, 0, 0, 0, 0, 0]);
const NOT_SUPPORTED = Buffer.from([VERSION, 7, 0, ADDRESS_V4, 0, 0, 0, 0, 0, 0]);
const GRANTED = Buffer.from([VERSION, 0, 0, ADDRESS_V4, 0, 0, 0, 0, 0, 0]);

export const SOCKS_VERSION = VERSION;

export interface SocksRequest {
  /** undefined: the host or its port cannot be read, so that it is refused. */
  readonly authority: Authority | undefined;
  readonly rest: Buffer;
  answer(granted: boolean): void;
}

/** Reads what a client asks a SOCKS proxy for. Returns undefined if it asked for nothing that can be answered. */
export async function readSocks(socket: Socket, start: Buffer): Promise<SocksRequest | undefined> {
  const greeting = await collect(socket, start, (bytes) => bytes.length >= 2 + (bytes[1] ?? 0));
  const methods = greeting?.subarray(2, 2 + (greeting[1] ?? 0));
  if (greeting === undefined || methods === undefined) return undefined;
  if (!methods.includes(NO_AUTHENTICATION)) {
    socket.end(NO_METHOD);
    return undefined;
  }
  socket.write(METHOD);
  const rest = greeting.subarray(2 + methods.length);
  const request = await collect(socket, rest, (bytes) => bytes.length >= lengthOf(bytes));
  if (request === undefined) return undefined;
  if (request[0] !== VERSION || request[1] !== CONNECT || lengthOf(request) === Number.MAX_SAFE_INTEGER) {
    socket.end(NOT_SUPPORTED);
    return undefined;
  }
  return {
    authority: authorityIn(request),
    rest: request.subarray(lengthOf(request)),
    answer: (granted) => void socket.write(granted ? GRANTED : REFUSED),
  };
}

/** Of a request, as far as it can be told from what has come. One that is of no known kind is over at once. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < 5) return 5;
  switch (bytes[3]) {
    case ADDRESS_V4:
      return 10;
    case ADDRESS_V6:
      return 22;
    case NAME:
      return 7 + (bytes[4] ?? 0);
    default:
      return 5;
  }
}

function authorityIn(request: Buffer): Authority | undefined {
  const end = lengthOf(request);
  const port = request.readUInt16BE(end - 2);
  const host = parseHost(hostIn(request, end));
  return host === undefined || port === 0 ? undefined : { host, port };
}

function hostIn(request: Buffer, end: number): string {
  if (request[3] === NAME) return request.toString('latin1', 5, end - 2);
  if (request[3] === ADDRESS_V4) return request.subarray(4, 8).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => request.readUInt16BE(4 + 2 * index).toString(16));
  return request[3] === ADDRESS_V6 ? `[${groups.join(':')}]` : '';
}
