/** A small generator of numbers that is the same every time. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = [
  'ba',
  'den',
  'kor',
  'li',
  'mar',
  'nos',
  'pel',
  'qua',
  'rit',
  'sol',
  'tam',
  'ver',
  'wex',
  'yon',
  'zu',
  'chi',
];
const SMALL_WORDS = [
  'the',
  'of',
  'to',
  'and',
  'a',
  'in',
  'is',
  'that',
  'for',
  'with',
  'this',
  'are',
  'by',
  'be',
];

export interface GeneratedDocument {
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly summary: string;
}

/** Words as in a language: a few are everywhere, most are rare; each document has a subject of its own. */
export function generateDocuments(count: number, wordsEach = 400, seed = 7): readonly GeneratedDocument[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const word = () => Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join('');
  const common = Array.from({ length: 3000 }, word);
  const ordinary = () => common[Math.floor(common.length * random() ** 3)] ?? '';
  return Array.from({ length: count }, (_, number) => {
    const subject = Array.from({ length: 8 }, word);
    const sentence = (length: number) =>
      Array.from({ length }, () => {
        const chance = random();
        return chance < 0.35 ? pick(SMALL_WORDS) : chance < 0.85 ? ordinary() : pick(subject);
      }).join(' ');
    const title = [subject[0], ordinary(), subject[1], ordinary()].join(' ');
    const summary = `${sentence(24)}.`;
    const paragraphs = Array.from({ length: 4 }, (_each, part) => {
      const sentences = Array.from({ length: Math.ceil(wordsEach / 60) }, () => `${sentence(15)}.`).join(' ');
      return `## ${ordinary()} ${part}\n\n${sentences}\n`;
    });
    const name = `document-${number}.md`;
    return {
      name,
      title,
      summary,
      text: `---\ntitle: ${title}\n---\n\n${summary}\n\n${paragraphs.join('\n')}`,
    };
  });
}

/** Some words of a text, as somebody who remembers it would ask. */
export function questionFrom(summary: string, random: () => number): string {
  return summary
    .replace(/\.$/, '')
    .split(' ')
    .filter(() => random() < 0.5)
    .join(' ');
}

/** A letter lost in some of the longer words. */
export function withTypos(text: string, random: () => number): string {
  return text
    .split(' ')
    .map((word) => {
      if (word.length < 5 || random() < 0.4) return word;
      const at = 1 + Math.floor(random() * (word.length - 2));
      return word.slice(0, at) + word.slice(at + 1);
    })
    .join(' ');
}
