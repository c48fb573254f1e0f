export const CATEGORY_KINDS = ['adr', 'patterns', 'guidelines', 'documents'] as const;

/** How the documents of a category are read and addressed. */
export type CategoryKind = (typeof CATEGORY_KINDS)[number];

/** A flag that documents depend on. */
export interface DocumentSwitch {
  /** Matches paths within the category. */
  readonly pattern: string;
  readonly flag: string;
}

/** A directory of documents under a name. */
export interface Category {
  readonly name: string;
  /** Relative to the workspace, or absolute. */
  readonly dir: string;
  /** Which files of the directory are its documents. */
  readonly patterns: readonly string[];
  readonly description: string;
  readonly kind: CategoryKind;
  /** If several match a document, all must be on. */
  readonly enabledBy?: readonly DocumentSwitch[];
}

/** Names of categories, collections and expressions over them, per collection. */
export type Collections = Readonly<Record<string, readonly string[]>>;

/** A category named like a kind is of that kind; every other one has plain documents. */
export function impliedKind(name: string): CategoryKind {
  return CATEGORY_KINDS.find((kind) => kind === name) ?? 'documents';
}

/** Documents are at most this many directories deep. */
export const MAX_DEPTH = 8;

/** Returns true for names that exclude a file, or a directory with its content, from every category. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('_') || name.startsWith('.');
}
