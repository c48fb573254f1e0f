/** In units of one character that the parser goes over once; about 50 ms. */
const MOST = 10_000_000;
/** The reader of a text follows scripts inside scripts so far. */
const MAX_LEVELS = 64;
const OF_A_BRACKET = 4;
const OF_A_LEVEL = 20;

const BLANK = /\s/;
const OPENERS = new Set(['$', '<', '>']);
/** A line in which nothing can be quoted, left out or worked out, so that a document which begins in it is one. */
const PLAIN_LINE = /^[^"'`\\#()[\]<]*(?:<<(-?)[ \t]*(?:'(\w+)'|"(\w+)")[^"'`\\#()[\]<]*)?$/;

/**
 * Whether the parser would go over a text so often that everybody else waits for it: it looks through the rest of the
 * word for each open brace, through the rest of the text for each `$[`, through all documents that have no body yet for
 * each new one, and reads what lies in a substitution once for each level.
 */
export function takesTooLong(text: string): boolean {
  return workOf(withoutDocuments(text)) > MOST;
}

function workOf(text: string): number {
  let [work, braces, word, levels, documents] = [0, 0, 0, 0, 0];
  for (let at = 0; at < text.length && work <= MOST; at += 1) {
    const character = text.charAt(at);
    const before = text.charAt(at - 1);
    work += levels * OF_A_LEVEL;
    if (character === '{') braces += 1;
    else if (character === '[' && before === '$') work += OF_A_BRACKET * (text.length - at);
    else if (character === '<' && before === '<') work += documents++;
    else if (character === '`' || (character === '(' && OPENERS.has(before)))
      levels = Math.min(MAX_LEVELS, levels + 1);
    else if (BLANK.test(character)) {
      work += braces * (at - word);
      braces = 0;
      word = at;
    }
  }
  return work + braces * (text.length - word);
}

/** Without what is written into files as it stands, as far as nobody can doubt that it is. */
function withoutDocuments(text: string): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const line = PLAIN_LINE.exec(text.slice(at, end));
    if (line === null) return kept + text.slice(at);
    kept += text.slice(at, end + 1);
    at = end + 1;
    const [, dash, single, double] = line;
    const name = single ?? double;
    if (name === undefined) continue;
    const behind = documentEnd(text, at, name, dash === '-');
    if (behind === undefined) return kept + text.slice(at);
    at = behind;
  }
  return kept;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Behind the line that ends a document; undefined where none does. */
function documentEnd(text: string, from: number, name: string, isIndented: boolean): number | undefined {
  for (let at = from; at < text.length; ) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    at = end + 1;
    if ((isIndented ? line.replace(/^\t+/, '') : line) === name) return at;
  }
  return undefined;
}
