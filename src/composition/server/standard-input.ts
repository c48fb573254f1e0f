import { fstatSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';

const CHUNK = 64 * 1024;

/**
 * What a client sends us; for a process of our own, in which nobody else reads from there. `process.stdin` takes
 * fresh memory for every chunk and hands it through the machinery of streams; a pipe is read into one buffer
 * instead. A chunk is therefore good only for as long as its `data` event.
 */
export function standardInput(): Readable {
  const kind = fstatSync(0);
  if (!kind.isFIFO() && !kind.isSocket()) return process.stdin;
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd: 0,
    readable: true,
    writable: false,
    onread: {
      buffer: Buffer.allocUnsafeSlow(CHUNK),
      callback: (bytes, buffer) => input.emit('data', buffer.subarray(0, bytes)),
    },
  };
  const input = new Socket(options);
  // Packages look at process.stdin when they are loaded, execa for one, and a second socket on a pipe is an error.
  Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => input });
  return input;
}
