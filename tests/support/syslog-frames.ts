/** The messages of a stream of RFC 6587: each has its length in bytes before it. What is not whole yet is left out. */
export function framesOf(bytes: Buffer): readonly string[] {
  const frames: string[] = [];
  let rest = bytes;
  for (;;) {
    const space = rest.indexOf(' ');
    if (space < 0) return frames;
    const length = Number(rest.toString('latin1', 0, space));
    if (!Number.isInteger(length)) throw new Error(`Not a length: ${rest.toString('latin1', 0, space)}`);
    const end = space + 1 + length;
    if (rest.length < end) return frames;
    frames.push(rest.toString('utf8', space + 1, end));
    rest = rest.subarray(end);
  }
}
