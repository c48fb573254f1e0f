import type { Category } from './category.js';
import { documentUri, plainId } from './document-name.js';
import type { Section } from './document-outline.js';
import { documentName } from './document-title.js';

/** How a caller names a document: by URI, path, name or number, with an optional section. */
export interface DocumentAddress {
  readonly target: string;
  /** The anchor of a section; undefined for the whole document. */
  readonly anchor?: string;
}

export interface AddressedDocument {
  readonly category: Category;
  readonly path: string;
  readonly shownPath: string;
  readonly uri?: string;
}

const SCHEME = 'architecture://';
const NUMBER = /^(?:adr|kep|rfc|madr|eip|decision|record)?[-_ #]*0*(\d{1,8})$/i;

export function parseAddress(text: string): DocumentAddress {
  const trimmed = text.trim();
  const hash = trimmed.lastIndexOf('#');
  // "#18" is a number; after a URI or a path it is a fragment.
  if (hash <= 0) return { target: trimmed.replace(/^#(?=\d+$)/, '') };
  return { target: trimmed.slice(0, hash), anchor: decoded(trimmed.slice(hash + 1)).toLowerCase() };
}

/** The documents that an address means, by the first interpretation that matches any. */
export function addressed<Document extends AddressedDocument>(
  { target }: DocumentAddress,
  documents: readonly Document[],
): readonly Document[] {
  const plain = decoded(target).replace(/^\.\//, '');
  const ways: readonly ((document: Document) => boolean)[] = [
    ({ uri }) => uri !== undefined && (uri === target || decoded(uri) === plain),
    ({ category, path }) => decoded(documentUri(category, plainId(category, path))) === plain,
    ({ shownPath }) => isFile(shownPath, plain),
    ({ category, path }) => isFile(`${category.name}/${path}`, plain),
    ({ path }) => isFile(path, plain),
    (document) => isNumbered(document, plain),
    ({ path }) => !plain.includes('/') && documentName(path).toLowerCase() === plain.toLowerCase(),
  ];
  for (const way of ways) {
    const found = documents.filter(way);
    if (found.length > 0) return found;
  }
  return [];
}

/** The text of a section with everything below its heading. */
export function sectionText(
  text: string,
  sections: readonly Section[],
  anchor: string,
): { readonly text: string; readonly line: number } | undefined {
  const at = sections.findIndex((section) => section.anchor === anchor);
  const section = sections[at];
  if (section === undefined) return undefined;
  const next = sections.slice(at + 1).find(({ level }) => level <= section.level);
  return { text: text.slice(section.start, next?.start ?? text.length).trimEnd(), line: section.line };
}

function isFile(path: string, wanted: string): boolean {
  return path === wanted || path === `${wanted}.md`;
}

/** `18`, `0018` and `ADR-0018`, also after the name of a category or its URI. */
function isNumbered({ category, path }: AddressedDocument, wanted: string): boolean {
  const prefix = [
    `${SCHEME}${category.kind}/${category.name}/`,
    `${SCHEME}${category.kind}/`,
    `${category.name}/`,
  ].find((each) => wanted.startsWith(each));
  if (prefix === undefined && category.kind !== 'adr') return false;
  const digits = NUMBER.exec(wanted.slice(prefix?.length ?? 0))?.[1];
  const own = /^(?:(?:adr|kep|rfc|madr|eip)[-_ ]?)?0*(\d{1,8})(?!\d)/i.exec(documentName(path))?.[1];
  return digits !== undefined && own === digits;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is taken literally.
    return text;
  }
}
