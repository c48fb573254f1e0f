import type { PathRule } from '../path/path-rules.js';
import type { PolicyLayer } from './policy-layer.js';

/** Patterns for code that builds a view of the file system, such as the sandbox. */
export interface PatternView {
  /** The server's own files, hidden whatever a policy allows. */
  readonly never: readonly PathRule[];
  /** Files that only the server writes, including `never`. */
  readonly serverOwned: readonly PathRule[];
  readonly hidden: readonly PathRule[];
  /** Those of `hidden` that the policy itself names, so that no exception of ours lifts them. */
  readonly denied: readonly PathRule[];
  readonly readOnly: readonly PathRule[];
}

/** The patterns of all layers; `own` are the denies of one tool. */
export function patternsOf(layers: readonly PolicyLayer[], own: readonly PathRule[]): PatternView {
  const denied = [...layers.flatMap((layer) => layer.hiddenPaths.rules), ...own];
  return {
    never: layers.flatMap((layer) => layer.builtin.never.rules),
    serverOwned: layers.flatMap(({ builtin }) => [...builtin.never.rules, ...builtin.neverWritten.rules]),
    hidden: [...layers.flatMap(({ builtin }) => builtin.secrets.rules), ...denied],
    denied,
    readOnly: layers.flatMap((layer) => [
      ...layer.builtin.neverWritten.rules,
      ...layer.builtin.protected.rules,
      ...layer.unchangeablePaths.rules,
    ]),
  };
}
