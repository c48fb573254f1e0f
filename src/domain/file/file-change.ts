import type { TextEdit } from './text-edit.js';

/** What a call would make of a text file, as far as its arguments tell. */
export type FileChange =
  | { readonly kind: 'content'; readonly text: string }
  | { readonly kind: 'append'; readonly text: string }
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] };
