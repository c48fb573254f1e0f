export const CATEGORY_KINDS = ['adr', 'patterns', 'guidelines', 'documents'] as const;

/** How the documents of a category are read and addressed. */
export type CategoryKind = (typeof CATEGORY_KINDS)[number];

/** Documents that are there only while a flag is on. */
export interface DocumentSwitch {
  /** Of paths within the category. */
  readonly pattern: string;
  readonly flag: string;
}

/** A folder of documents under a name. */
export interface Category {
  readonly name: string;
  /** Relative to the workspace, or absolute. */
  readonly dir: string;
  /** Which files of the folder are its documents. */
  readonly patterns: readonly string[];
  readonly description: string;
  readonly kind: CategoryKind;
  /** Where several match a document, all must be on. */
  readonly enabledBy?: readonly DocumentSwitch[];
}

/** Names of categories, collections and expressions over them, by the collection's name. */
export type Collections = Readonly<Record<string, readonly string[]>>;

/** A category that is named like a kind is of that kind; every other one is of plain documents. */
export function impliedKind(name: string): CategoryKind {
  return CATEGORY_KINDS.find((kind) => kind === name) ?? 'documents';
}

/** Documents lie at most this many folders deep. */
export const MAX_DEPTH = 8;

/** Names that keep a file or a folder with all below it out of every category. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('_') || name.startsWith('.');
}
