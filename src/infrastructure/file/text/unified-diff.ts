const CONTEXT = 3;
/** The work grows quadratically: six million steps, well under a second. */
const MAX_CHANGED_LINES = 3500;
/** Characters of both texts, without their common beginning and end. */
const MAX_COMPARED = 2 * 1024 * 1024;

/** The part in which two texts differ, in complete lines, with a few lines of context. */
interface Difference {
  readonly linesAbove: number;
  readonly before: string;
  readonly after: string;
}

/**
 * The difference as `diff -u` shows it; empty if there is none. Texts that differ too much are not compared
 * line by line: the result then says how much was replaced, and where.
 */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  if (before === after) return '';
  const difference = differenceOf(before, after);
  if (difference.before.length + difference.after.length > MAX_COMPARED) return summary(path, difference);
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const patch = structuredPatch(path, path, difference.before, difference.after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_CHANGED_LINES,
  });
  if (patch === undefined) return summary(path, difference);
  for (const hunk of patch.hunks) {
    hunk.oldStart += difference.linesAbove;
    hunk.newStart += difference.linesAbove;
  }
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

function differenceOf(before: string, after: string): Difference {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  const room = shorter - start;
  while (
    end < room &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  start = lineStart(before, start, CONTEXT);
  const rest = Math.max(end - lineEnd(before, before.length - end, CONTEXT + 1), 0);
  return {
    linesAbove: countLines(before, start),
    before: before.slice(start, before.length - rest),
    after: after.slice(start, after.length - rest),
  };
}

/** The start of the line that contains `at`, and of that many lines above. */
function lineStart(text: string, at: number, above: number): number {
  let start = at;
  for (let line = 0; line <= above && start > 0; line += 1) {
    start = text.lastIndexOf('\n', start - (line === 0 ? 1 : 2)) + 1;
  }
  return start;
}

/** The number of characters from `at` to the end of that many lines. */
function lineEnd(text: string, at: number, below: number): number {
  let end = at;
  for (let line = 0; line < below; line += 1) {
    const next = text.indexOf('\n', end);
    if (next < 0) return text.length - at;
    end = next + 1;
  }
  return end - at;
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function summary(path: string, { linesAbove, before, after }: Difference): string {
  const [old, now] = [before, after].map(
    (text) => countLines(text, text.length) + (text.endsWith('\n') ? 0 : 1),
  );
  return (
    `--- ${path}\n+++ ${path}\n` +
    `(too much changed to show it: about ${old} lines from line ${linesAbove + 1} on were replaced by ${now})\n`
  );
}
