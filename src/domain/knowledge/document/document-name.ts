import { Result } from '../../result.js';
import { type Category, isHiddenName, MAX_DEPTH } from './category.js';

const MAX_NAME = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNFIT = /[\u0000-\u001f\u007f\\:*?"<>|]/;

/**
 * The path of a document of this name in its category's directory; `.md` is added if the name has no
 * extension.
 */
export function parseDocumentName(name: string): Result<string> {
  const trimmed = name.trim();
  const segments = trimmed.split('/');
  const problem = problemOf(trimmed, segments);
  if (problem !== undefined) {
    return Result.failure(`${problem} A name is like "error-handling" or "web/caching.md".`, 'InvalidName');
  }
  return Result.ok(hasExtension(trimmed) ? trimmed : `${trimmed}.md`);
}

function problemOf(name: string, segments: readonly string[]): string | undefined {
  if (name.length === 0 || name.length > MAX_NAME)
    return `A document's name has 1 to ${MAX_NAME} characters.`;
  if (UNFIT.test(name)) return 'A document\'s name has no control characters and none of \\ : * ? " < > |.';
  if (segments.length > MAX_DEPTH) return `Documents lie at most ${MAX_DEPTH} folders deep.`;
  if (segments.some((segment) => segment === '' || segment !== segment.trim())) {
    return "Every part of a document's name between slashes has a name of its own.";
  }
  if (segments.some(isHiddenName)) return 'No part of a document\'s name begins with "." or "_".';
  return undefined;
}

/** Returns true for a path that is used as it is; false for one that is retried as `name.*`. */
export function hasExtension(path: string): boolean {
  return /[^/.]\.[\w*?[{-]+\}?$/.test(path);
}

/** The name under which a resource is read: without `.md`; for an ADR, its leading number. */
export function documentId(category: Category, path: string): string {
  const plain = plainId(category, path);
  if (category.kind !== 'adr') return plain;
  // An ADR in a directory of its own is named by the directory.
  const named = /\/(?:readme|index)$/i.test(plain) ? plain.slice(0, plain.lastIndexOf('/')) : plain;
  const folder = named.slice(0, named.lastIndexOf('/') + 1);
  const number = /^(?:(?:adr|kep|rfc|madr|eip)[-_ ]?)?(\d+)/i.exec(named.slice(folder.length))?.[1];
  return number === undefined ? plain : folder + number;
}

/** Without the shortening, which would be ambiguous for two ADRs with the same number. */
export function plainId(category: Category, path: string): string {
  const bare = path.replace(/\.md$/i, '');
  return category.name === category.kind ? bare : `${category.name}/${bare}`;
}

export function documentUri(category: Category, id: string): string {
  return `architecture://${category.kind}/${id.split('/').map(encodeURIComponent).join('/')}`;
}
