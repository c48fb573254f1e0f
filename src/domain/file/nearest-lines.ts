export interface NearestLines {
  /** Counted from 1. */
  readonly line: number;
  readonly onlySpaces: boolean;
  /** Lines as a diff: `-` for the text that was searched, `+` for the text in the file. */
  readonly hint: string;
}

const MAX_LINES = 20_000;
const MAX_WANTED = 40;
const MAX_SHOWN = 12;
const MAX_WIDTH = 160;
const GOOD_ENOUGH = 0.4;
/** The maximum number of comparisons of line parts; a file of long, similar lines would take minutes. */
const MAX_STEPS = 2_000_000;

/** The part of a text most similar to some lines; undefined if nothing is similar. */
export function nearestLines(text: string, wantedText: string): NearestLines | undefined {
  const lines = text.split(/\r\n|\n|\r/, MAX_LINES);
  const wanted = wantedText.replace(/\r?\n$/, '').split(/\r\n|\n|\r/, MAX_WANTED);
  const signatures = wanted.map(wordsOf);
  const cache = new SignatureCache();
  let best = { score: 0, at: -1 };
  for (let at = 0; at < lines.length && cache.steps < MAX_STEPS; at += 1) {
    const first = cache.similarity(signatures[0], lines[at]);
    // A window is compared only if its first or last line is similar.
    const last = cache.similarity(signatures.at(-1), lines[at + wanted.length - 1]);
    if (first + last <= best.score * 0.8) continue;
    const score = windowScore(signatures, lines, at, cache);
    if (score > best.score) best = { score, at };
  }
  if (best.at < 0 || best.score < GOOD_ENOUGH) return undefined;
  const there = lines.slice(best.at, best.at + wanted.length);
  const onlySpaces = squeeze(there.join(' ')) === squeeze(wanted.join(' '));
  return { line: best.at + 1, onlySpaces, hint: hintOf(wanted, there) };
}

function windowScore(
  wanted: readonly ReadonlySet<string>[],
  lines: readonly string[],
  at: number,
  cache: SignatureCache,
): number {
  let sum = 0;
  for (const [index, signature] of wanted.entries()) {
    sum += cache.similarity(signature, lines[at + index]);
  }
  return sum / wanted.length;
}

/** The parts of every line examined so far, and how much work that was. */
class SignatureCache {
  steps = 0;
  readonly #known = new Map<string, ReadonlySet<string>>();

  similarity(wanted: ReadonlySet<string> | undefined, line = ''): number {
    this.steps += 1 + (wanted?.size ?? 0);
    return similarity(wanted, this.#signatureOf(line));
  }

  #signatureOf(line: string): ReadonlySet<string> {
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const words = wordsOf(line);
    this.steps += words.size;
    this.#known.set(line, words);
    return words;
  }
}

/** Words, and pairs of letters, so that a misspelt word still counts. */
function wordsOf(line: string): ReadonlySet<string> {
  const words = line.slice(0, 500).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const parts = new Set<string>(words);
  for (const word of words)
    for (let at = 0; at + 2 <= word.length; at += 1) parts.add(`·${word.slice(at, at + 2)}`);
  return parts;
}

function similarity(left: ReadonlySet<string> | undefined, right: ReadonlySet<string>): number {
  if (left === undefined) return 0;
  if (left.size === 0 && right.size === 0) return 1;
  let common = 0;
  for (const part of left) if (right.has(part)) common += 1;
  return (2 * common) / (left.size + right.size);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function hintOf(wanted: readonly string[], there: readonly string[]): string {
  const shown: string[] = [];
  for (let index = 0; index < Math.max(wanted.length, there.length) && shown.length < MAX_SHOWN; index += 1) {
    const [old, now] = [wanted[index], there[index]];
    if (old === now) shown.push(`  ${show(now)}`);
    else {
      if (old !== undefined) shown.push(`- ${show(old)}`);
      if (now !== undefined) shown.push(`+ ${show(now)}`);
    }
  }
  return shown.join('\n');
}

function show(line = ''): string {
  return (line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH)}…` : line).replaceAll('\t', '→');
}
