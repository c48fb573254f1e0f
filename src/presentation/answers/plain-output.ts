/** Control sequences of terminals: colours, cursor movements, titles, links. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;

/** What a program printed as it would be read at the end: without colours, and of a line painted anew only the last state. */
export function plainOutput(text: string): string {
  const bare = text.includes('\u001b') || text.includes('\u009b') ? text.replaceAll(SEQUENCES, '') : text;
  if (!bare.includes('\r') && !bare.includes('\b')) return bare;
  return bare
    .split('\n')
    .map((line) => (line.includes('\r') || line.includes('\b') ? lastState(line) : line))
    .join('\n');
}

/** A carriage return before the end of the line belongs to it; any other begins the line anew. */
function lastState(line: string): string {
  const ended = line.endsWith('\r') ? line.slice(0, -1) : line;
  const painted = ended.split('\r').filter((state) => state.trim() !== '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a backspace takes one character back.
  return (painted.at(-1) ?? '').replaceAll(/[^\u0008]?\u0008/g, '');
}
