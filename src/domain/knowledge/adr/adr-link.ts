/** How one ADR refers to another. */
export type AdrLinkKind = 'supersedes' | 'superseded-by' | 'amends' | 'amended-by' | 'relates';

export interface AdrLink {
  readonly kind: AdrLinkKind;
  /** As written: a number, a file or a title. */
  readonly target: string;
  /** 1 for the first line of the file. */
  readonly line: number;
}

const KINDS: readonly (readonly [AdrLinkKind, RegExp])[] = [
  [
    'amended-by',
    /\b(?:amended|clarified|extended|refined|(?:partly|partially) (?:super[sc]e+ded|replaced))[ _-]by\b/i,
  ],
  [
    'superseded-by',
    /\b(?:super[sc]e+ded|replaced|obsoleted)(?:[ _-]by)?\b|\bersetzt durch\b|\babgel(?:ö|oe)st durch\b|\bremplac[ée]e? par\b|\b(?:sustituid|reemplazad|substitu[ií]d)[oa] por\b|\bsostituit[oa] da\b|\bvervangen door\b|заменен[ао]? на|被.{0,40}取代|に置き換え/iu,
  ],
  ['amends', /\b(?:amends|clarifies|extends|refines|builds on)\b/i],
  [
    'supersedes',
    /\b(?:super[sc]e+des|replaces|obsoletes)\b|\bersetzt\b|\bremplace\b|\b(?:sustituye|substitui)\b/i,
  ],
  ['relates', /\b(?:relates? to|related(?: to)?|see also|links?|depends on|enables|complements)\b/i],
];

const FRONT_KEYS: Readonly<Record<string, AdrLinkKind>> = {
  supersedes: 'supersedes',
  replaces: 'supersedes',
  supersededby: 'superseded-by',
  replacedby: 'superseded-by',
  amends: 'amends',
  amendedby: 'amended-by',
  relates: 'relates',
  relatesto: 'relates',
  related: 'relates',
  links: 'relates',
  seealso: 'relates',
};

const REFERENCE =
  /\[[^\][]*\]\(([^()\s]+)[^()]*\)|\b(?:adr|kep|rfc|madr|decision|record)[-_ #]*(\d{1,8}(?:-[\w-]+)?)|#(\d{1,6})\b|\b(\d{8}-[\w-]+)\b|([\w./-]+\.md)\b/giu;
const BARE_NUMBER = /(?<![\w.-])(\d{1,5})(?![\w.-]|\.\d)/g;
const MAX_LINE = 2000;

/** The links in one line, which may name several ADRs in several ways. */
export function linksInLine(text: string, line: number): readonly AdrLink[] {
  const content = text.slice(0, MAX_LINE);
  const kinds = KINDS.flatMap(([kind, words]) => {
    const found = words.exec(content);
    return found === null ? [] : [{ kind, from: found.index, to: found.index + found[0].length }];
  });
  // "partially superseded by" is an amendment; "related" inside another phrase is ignored.
  const cues = kinds
    .filter(
      (cue, index) => !kinds.slice(0, index).some((other) => other.from <= cue.from && cue.from < other.to),
    )
    .sort((a, b) => a.from - b.from);
  return cues.flatMap((cue, index) =>
    referencesIn(content.slice(cue.to, cues[index + 1]?.from ?? content.length), cue.kind !== 'relates').map(
      (target) => ({ kind: cue.kind, target, line }),
    ),
  );
}

/** Links that the front matter declares under a key of their own. */
export function linksOfKey(key: string, value: unknown, line: number): readonly AdrLink[] {
  const name = key.toLowerCase().replace(/[-_ ]/g, '');
  const kind = Object.hasOwn(FRONT_KEYS, name) ? FRONT_KEYS[name] : undefined;
  if (kind === undefined) return [];
  return [value]
    .flat()
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map(String)
    .flatMap((item) => {
      const found = referencesIn(item, true);
      return found.length > 0 || item.trim() === '' ? found : [item.trim()];
    })
    .map((target) => ({ kind, target, line }));
}

function referencesIn(text: string, bareNumbers: boolean): readonly string[] {
  const found = [...text.matchAll(REFERENCE)].flatMap((match) => match.slice(1).filter(Boolean));
  if (found.length > 0 || !bareNumbers) return found.map(String);
  const dateless = text.replace(/\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}/g, ' ');
  return [...dateless.matchAll(BARE_NUMBER)].map(([, number = '']) => number);
}
