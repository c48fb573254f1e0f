/** Control sequences of terminals: colours, cursor movements, titles, links. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;

/** Stands for a sequence that was removed: only a program that paints writes any. */
const REMOVED = '\u001b';
/** A state of a progress display: a share, a count of a whole, a bar, a spinner. */
const PROGRESS = /\d ?%|\d\/\d|\(\d+\)|--:--|[#=.>━█]{3}|[▉-▏⠁-⣿]/;
const BEGINNING_LETTERS = 4;

/** What a program printed as it would be read at the end: without colours, and of a line painted anew only the last state. */
export function plainOutput(text: string): string {
  const isPainted = text.includes('\u001b') || text.includes('\u009b');
  const bare = isPainted ? text.replaceAll(SEQUENCES, REMOVED) : text;
  if (!isPainted && !bare.includes('\r') && !bare.includes('\b')) return bare;
  return bare.split('\n').map(lastState).join('\n');
}

/** A carriage return before the end of the line belongs to it; any other begins the line anew, or ends one. */
function lastState(line: string): string {
  const text = line.replaceAll(REMOVED, '');
  if (!text.includes('\r') && !text.includes('\b')) return text;
  const ended = text.endsWith('\r') ? text.slice(0, -1) : text;
  const isPainted = line.includes(REMOVED) || text.includes('\b');
  const states = isPainted ? lastPainted(ended) : withoutRepaints(ended.split('\r'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a backspace takes one character back.
  return states.join('\n').replaceAll(/[^\u0008]?\u0008/g, '');
}

function lastPainted(line: string): readonly string[] {
  return line
    .split('\r')
    .filter((state) => state.trim() !== '')
    .slice(-1);
}

/** Some files end their lines with a carriage return alone: only what the next state clearly paints over is dropped. */
function withoutRepaints(states: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const state of states) {
    const before = kept.at(-1);
    if (before !== undefined && isPaintedOver(before, state)) kept.pop();
    if (state.trim() !== '' || state === '') kept.push(state);
  }
  return kept[0] === '' ? kept.slice(1) : kept;
}

function isPaintedOver(before: string, after: string): boolean {
  const isBlanked = before !== '' && after.trim() === '' && after.length >= before.length;
  return isBlanked || (PROGRESS.test(before) && beginning(before) === beginning(after));
}

function beginning(state: string): string {
  return state.replaceAll(/[^\p{L}]/gu, '').slice(0, BEGINNING_LETTERS);
}
