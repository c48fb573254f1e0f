import { redactionPlaceholder } from './redaction-placeholder.js';

export const SECRET_KINDS = [
  'aws',
  'github',
  'slack',
  'jwt',
  'pem',
  'bearer',
  'url_userinfo',
  'api_key',
  'npm',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** `assignment` is `password=…` in free text: suitable for a log, too broad for a source file. */
export type ShapeKind = SecretKind | 'assignment';

/**
 * V8's expressions backtrack, so every expression here is linear by construction: it begins with a literal, a
 * class repeated without a bound is never followed by something it could also match, and if a run of the
 * class could contain the literal, the match either consumes the run or a look-behind lets it begin only
 * where the run does. A first group is kept, the rest of the match is replaced.
 */
const SHAPES: Readonly<Record<ShapeKind, readonly RegExp[]>> = {
  pem: [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  url_userinfo: [/(:\/\/)(?:[^\s/?#@:]*:[^\s/?#@]+|[^\s/?#@:]{20,})(?=@)/g],
  aws: [
    /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    /(secret_?access_?key["']?\s{0,4}[:=]\s{0,4}["']?)[A-Za-z0-9/+]{40}/gi,
  ],
  github: [
    /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,})/g,
  ],
  slack: [
    /(?<![A-Za-z0-9])(?:xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})/g,
    /(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g,
  ],
  jwt: [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g],
  bearer: [/\b((?:bearer|basic)\s{1,8})(?=[A-Za-z]*[0-9+/=_.~-])[A-Za-z0-9._~+/-]{16,}={0,2}/gi],
  api_key: [
    /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{20,}|[srp]k_(?:live|test)_[A-Za-z0-9]{16,}|AIza[A-Za-z0-9_-]{35}|hf_[A-Za-z0-9]{30,})/g,
  ],
  npm: [
    /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/g,
    /(:_(?:authToken|auth|password)\s{0,4}=\s{0,4})(?!\[castellan-)[^\s$]{8,}/g,
  ],
  assignment: [
    /(authorization["']?\s{0,4}[:=]\s{0,4}["']?)(?:(?:bearer|basic|token|digest)\s{1,4})?(?!\[castellan-)[^\s"',;]{4,}/gi,
    /(cookie["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[castellan-)[^\s"'][^\r\n"']{3,}/gi,
    /((?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key)["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[castellan-)[^\s"',;&]{4,}/gi,
    /(--?(?:password|passphrase|secret|token|api-?key|access-?key)\s{1,4}["']?)(?!\[castellan-)[^\s"'-][^\s"']{3,}/gi,
  ],
};

/** A cheap first test: a text that passes contains none of the literals with which the shapes begin. */
const SUSPICIOUS =
  /-----BEGIN|:\/\/|A[KS]IA|A(?:BI|CC|RO|ID|GP)A|gh[pousr]_|github_pat|glpat|xox|xapp|eyJ|[sprk]k[-_]|AIza|hf_|npm_|_auth|_password|hooks\.slack|bearer|basic|passw|passp|secret|token|api[_-]?key|access[_-]?key|authorization|cookie/i;
const SHORTEST_SECRET = 8;

/** Replaces every secret of the given kinds with its placeholder. */
export function redactSecrets(text: string, kinds: readonly ShapeKind[] = ALL_SHAPES): string {
  if (text.length < SHORTEST_SECRET || !SUSPICIOUS.test(text)) return text;
  let clean = text;
  for (const kind of kinds) {
    const placeholder = redactionPlaceholder(kind);
    for (const shape of SHAPES[kind]) clean = clean.replace(shape, keepPrefix(placeholder));
  }
  return clean;
}

/** Without a group, the second argument is the offset. */
function keepPrefix(placeholder: string): (match: string, prefix: unknown) => string {
  return (_match, prefix) => (typeof prefix === 'string' ? prefix + placeholder : placeholder);
}

/** Specific shapes first: their placeholders are more precise. */
export const ALL_SHAPES: readonly ShapeKind[] = [
  'pem',
  'url_userinfo',
  'aws',
  'github',
  'slack',
  'jwt',
  'api_key',
  'npm',
  'bearer',
  'assignment',
];
