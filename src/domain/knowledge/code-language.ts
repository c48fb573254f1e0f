/** Names by which languages are known here, with other names of theirs. */
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
  { language: 'go', mark: /^\s*package \w+\s*$/m, weight: 4 },
  { language: 'go', mark: /^\s*func (?:\(\w+ \*?\w+\) )?\w+\(/m, weight: 4 },
  { language: 'go', mark: /:=/, weight: 1 },
  { language: 'java', mark: /^\s*package [\w.]+;/m, weight: 4 },
  { language: 'java', mark: /^\s*import (?:static )?[\w.]+(?:\.\*)?;/m, weight: 3 },
  {
    language: 'java',
    mark: /\b(?:public|private|protected)\s+(?:static\s+|final\s+|abstract\s+)*(?:class|interface|enum|record|void|[A-Z]\w*(?:<[^>\n]*>)?)\s+\w+/,
    weight: 3,
  },
  { language: 'java', mark: /\bSystem\.out\.|@Override\b/, weight: 3 },
  { language: 'python', mark: /^\s*(?:async )?def \w+\(.*\).*:\s*(?:#.*)?$/m, weight: 4 },
  { language: 'python', mark: /^\s*(?:from [\w.]+ import |import [\w.]+(?:\s+as \w+)?\s*$)/m, weight: 3 },
  { language: 'python', mark: /^\s*class \w+(?:\(.*\))?:\s*$/m, weight: 4 },
  { language: 'python', mark: /^\s*(?:elif|except|with|for|if|while) .*:\s*$/m, weight: 2 },
  { language: 'typescript', mark: /^\s*(?:export )?(?:interface|type|enum) \w+/m, weight: 3 },
  {
    language: 'typescript',
    mark: /[\w)\]?]\s*:\s*(?:string|number|boolean|unknown|void|Promise<|readonly )/,
    weight: 3,
  },
  { language: 'typescript', mark: /^\s*import type |\bas const\b|\bprivate readonly\b/m, weight: 3 },
  {
    language: 'javascript',
    mark: /^\s*(?:export |import .* from ['"]|const |let |var |function |class \w+ (?:extends \w+ )?\{)/m,
    weight: 2,
  },
  { language: 'javascript', mark: /\brequire\(['"]|module\.exports|=>/, weight: 2 },
  { language: 'kotlin', mark: /\bfun \w+\(|\bval \w+\s*[:=]/, weight: 3 },
  { language: 'csharp', mark: /^\s*using [\w.]+;|\bnamespace [\w.]+/m, weight: 4 },
  { language: 'rust', mark: /\bfn \w+\(|\blet mut \b|\bimpl \w+/, weight: 4 },
  { language: 'ruby', mark: /^\s*require ['"]|^\s*def \w+[^:]*$[\s\S]*^\s*end\s*$/m, weight: 2 },
  { language: 'php', mark: /<\?php/, weight: 9 },
];

/** The usual name of a language; an unknown one is its own. */
export function normaliseLanguage(name: string): string {
  const wanted = name.trim().toLowerCase();
  return Object.keys(NAMES).find((known) => known === wanted || NAMES[known]?.includes(wanted)) ?? wanted;
}

/** What the code looks like; undefined where nothing tells. */
export function detectLanguage(code: string): string | undefined {
  const scores = new Map<string, number>();
  for (const { language, mark, weight } of SIGNS) {
    if (mark.test(code)) scores.set(language, (scores.get(language) ?? 0) + weight);
  }
  // What only TypeScript has tells more than what it shares with JavaScript.
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
