import type { Socket } from 'node:net';

/** A client has this long to say which host it means. */
const START_MS = 10_000;
const LONGEST_START = 80 * 1024;

/**
 * Reads from a socket until there is enough. Returns undefined if it ends, breaks, says too much or takes too long before
 * that. What was read is the caller's to pass on; the socket is paused.
 */
export function collect(
  socket: Socket,
  start: Buffer,
  isEnough: (bytes: Buffer) => boolean,
  patienceMs = START_MS,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let held = start;
    const done = (bytes: Buffer | undefined): void => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', take);
      for (const event of ENDINGS) socket.off(event, over);
      resolve(bytes);
    };
    const over = (): void => done(undefined);
    const take = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      if (isEnough(held)) done(held);
      else if (held.length > LONGEST_START) done(undefined);
    };
    const timer = setTimeout(over, patienceMs);
    if (start.length > 0 && isEnough(start)) return done(start);
    for (const event of ENDINGS) socket.once(event, over);
    socket.on('data', take);
    socket.resume();
  });
}

const ENDINGS = ['end', 'error', 'close'] as const;
