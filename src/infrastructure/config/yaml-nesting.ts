/** More than any honest file; the trees that are built of it may be 32 deep. */
const MAX_NESTING = 200;

/**
 * Whether a text nests deeper than its parser may follow. A parser that runs out of stack does not always throw:
 * V8 ends the process when it happens while a regular expression is compiled. Brackets in quoted texts are counted
 * too, which errs on the safe side.
 */
export function nestsTooDeeply(text: string): boolean {
  let flow = 0;
  // `- - -` and `? ? ?` go down a level each, and so does `a: b: c:`, which is wrong besides.
  let indicators = 0;
  let lineStart = true;
  for (const unit of text) {
    switch (unit) {
      case '\n':
        lineStart = true;
        if (flow === 0) indicators = 0;
        break;
      case '[':
      case '{':
        flow += 1;
        break;
      case ']':
      case '}':
        flow = Math.max(0, flow - 1);
        break;
      case ',':
        if (flow > 0) indicators = 0;
        break;
      case ':':
        indicators += 1;
        break;
      case '-':
      case '?':
        if (lineStart) indicators += 1;
        break;
      default:
        if (unit !== ' ' && unit !== '\t') lineStart = false;
    }
    if (flow > MAX_NESTING || indicators > MAX_NESTING) return true;
  }
  return deepestIndent(text) > MAX_NESTING;
}

/** How many indentations are open at once. A line ends all that are as deep as it or deeper. */
function deepestIndent(text: string): number {
  const open: number[] = [];
  let deepest = 0;
  for (let at = 0; at < text.length; ) {
    let indent = at;
    while (text[indent] === ' ') indent += 1;
    const width = indent - at;
    if (text[indent] !== '\n' && indent < text.length) {
      while ((open.at(-1) ?? -1) >= width) open.pop();
      open.push(width);
      deepest = Math.max(deepest, open.length);
    }
    const end = text.indexOf('\n', indent);
    if (end < 0) break;
    at = end + 1;
  }
  return deepest;
}
