const MAX_EXCERPT = 320;
const MAX_SCANNED = 20_000;
const MAX_SENTENCE = 2000;
const SENTENCE_END = /(?<=[.!?])\s+(?=[^a-z\s])|\n\s*\n|\n(?=\s*(?:[-*+>|#]|\d+[.)])\s)/;

/** Whole sentences of a section around the most relevant one. `worthOf` rates a sentence. */
export function excerptOf(section: string, worthOf: (sentence: string) => number): string {
  const sentences = section.slice(0, MAX_SCANNED).split(SENTENCE_END).filter(isProse);
  let best = 0;
  let bestWorth = -1;
  sentences.forEach((sentence, index) => {
    const worth = worthOf(sentence);
    if (worth > bestWorth) {
      best = index;
      bestWorth = worth;
    }
  });
  let excerpt = plainText(sentences[best] ?? '');
  for (const next of sentences.slice(best + 1)) {
    const longer = `${excerpt} ${plainText(next)}`;
    if (longer.length > MAX_EXCERPT) break;
    excerpt = longer;
  }
  return cutAtWord(excerpt);
}

function isProse(sentence: string): boolean {
  return /\p{L}/u.test(sentence) && !/^\s*#{1,6}\s[^\n]*$/.test(sentence);
}

function plainText(sentence: string): string {
  return sentence
    .slice(0, MAX_SENTENCE)
    .replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '')
    .replace(/^#{1,6}\s.*$/gm, ' ')
    .replace(/^(?:```|~~~).*$/gm, ' ')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Cuts only a sentence that is too long on its own. */
function cutAtWord(text: string): string {
  if (text.length <= MAX_EXCERPT) return text;
  const space = text.lastIndexOf(' ', MAX_EXCERPT);
  return `${text.slice(0, space > MAX_EXCERPT / 2 ? space : MAX_EXCERPT)} …`;
}
