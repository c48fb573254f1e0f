let listens = false;

/**
 * process.stderr, which no longer ends the process when its reader has gone: nobody is left to be told. Node makes
 * it when it is first asked for, which is a fiftieth of a start, so only those who have something to say ask.
 */
export function standardError(): NodeJS.WriteStream {
  if (!listens) process.stderr.on('error', () => undefined);
  listens = true;
  return process.stderr;
}
