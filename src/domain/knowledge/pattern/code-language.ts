/** Names of languages, each with its aliases. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  javascript: ['js', 'jsx', 'mjs', 'cjs', 'node'],
  python: ['py', 'python3'],
  go: ['golang'],
  java: [],
  kotlin: ['kt'],
  csharp: ['c#', 'cs'],
  ruby: ['rb'],
  rust: ['rs'],
  php: [],
  html: [],
  css: [],
};

interface Sign {
  readonly language: string;
  readonly mark: RegExp;
  readonly weight: number;
}

const SIGNS: readonly Sign[] = [
  { language: 'go', mark: /^[ \t]*package \w+\s*$/, weight: 4 },
  { language: 'go', mark: /^[ \t]*func (?:\(\w+ \*?\w+\) )?\w+\(/, weight: 4 },
  { language: 'go', mark: /:=/, weight: 1 },
  { language: 'java', mark: /^[ \t]*package [\w.]+;/, weight: 4 },
  { language: 'java', mark: /^[ \t]*import (?:static )?[\w.]+(?:\.\*)?;/, weight: 3 },
  {
    language: 'java',
    mark: /\b(?:public|private|protected)\s+(?:static\s+|final\s+|abstract\s+)*(?:class|interface|enum|record|void|[A-Z]\w*(?:<[^>\n]*>)?)\s+\w+/,
    weight: 3,
  },
  { language: 'java', mark: /\bSystem\.out\.|@Override\b/, weight: 3 },
  { language: 'python', mark: /^[ \t]*(?:async )?def \w+\(.*\).*:\s*(?:#.*)?$/, weight: 4 },
  { language: 'python', mark: /^[ \t]*(?:from [\w.]+ import |import [\w.]+(?:\s+as \w+)?\s*$)/, weight: 3 },
  { language: 'python', mark: /^[ \t]*class \w+(?:\(.*\))?:\s*$/, weight: 4 },
  { language: 'python', mark: /^[ \t]*(?:elif|except|with|for|if|while) .*:\s*$/, weight: 2 },
  { language: 'typescript', mark: /^[ \t]*(?:export )?(?:interface|type|enum) \w+/, weight: 3 },
  {
    language: 'typescript',
    mark: /[\w)\]?]\s*:\s*(?:string|number|boolean|unknown|void|Promise<|readonly )/,
    weight: 3,
  },
  { language: 'typescript', mark: /^[ \t]*import type |\bas const\b|\bprivate readonly\b/, weight: 3 },
  {
    language: 'javascript',
    mark: /^[ \t]*(?:export |import .* from ['"]|const |let |var |function |class \w+ (?:extends \w+ )?\{)/m,
    weight: 2,
  },
  { language: 'javascript', mark: /\brequire\(['"]|module\.exports|=>/, weight: 2 },
  { language: 'kotlin', mark: /\bfun \w+\(|\bval \w+\s*[:=]/, weight: 3 },
  { language: 'csharp', mark: /^[ \t]*using [\w.]+;|\bnamespace [\w.]+/, weight: 4 },
  { language: 'rust', mark: /\bfn \w+\(|\blet mut \b|\bimpl \w+/, weight: 4 },
  { language: 'ruby', mark: /^[ \t]*require ['"]/, weight: 2 },
  { language: 'ruby', mark: /^[ \t]*def [\w.?!]+(?:\([^:]*|\s[^:]*)?$/, weight: 1 },
  { language: 'ruby', mark: /^[ \t]*end\s*$/, weight: 1 },
  { language: 'php', mark: /<\?php/, weight: 9 },
];

const MAX_LINES = 5000;
const MAX_LINE = 300;

/** The canonical name of a language; an unknown one keeps its name. */
export function normaliseLanguage(name: string): string {
  const wanted = name.trim().toLowerCase();
  return Object.keys(NAMES).find((known) => known === wanted || NAMES[known]?.includes(wanted)) ?? wanted;
}

/** Guesses the language of some code; undefined if nothing indicates one. */
export function detectLanguage(code: string): string | undefined {
  const scores = new Map<string, number>();
  // Line by line, each cut: a regular expression over many lines could take quadratic time.
  const lines = code.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE));
  for (const { language, mark, weight } of SIGNS) {
    if (lines.some((line) => mark.test(line))) scores.set(language, (scores.get(language) ?? 0) + weight);
  }
  // Features only TypeScript has count more than those it shares with JavaScript.
  const typescript = scores.get('typescript') ?? 0;
  if (typescript > 0) scores.set('typescript', typescript + (scores.get('javascript') ?? 0));
  const [best] = [...scores].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= 2 ? best[0] : undefined;
}

/** TypeScript is checked by rules for JavaScript too. */
export function coversLanguage(languages: readonly string[], language: string): boolean {
  const names = languages.map(normaliseLanguage);
  return names.includes(language) || (language === 'typescript' && names.includes('javascript'));
}
