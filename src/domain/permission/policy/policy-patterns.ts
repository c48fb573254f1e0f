import type { PathRule } from '../path/path-rules.js';
import type { PolicyLayer } from './policy-layer.js';

/** Patterns for whoever builds a file system view, such as the sandbox. */
export interface PatternView {
  /** The server's own files, hidden whatever a policy allows. */
  readonly never: readonly PathRule[];
  /** What only the server itself writes, `never` included. */
  readonly serverOwned: readonly PathRule[];
  readonly hidden: readonly PathRule[];
  /** Those of `hidden` that a policy names itself, so that no reason of ours lifts them. */
  readonly denied: readonly PathRule[];
  readonly readOnly: readonly PathRule[];
}

/** Of all layers; `own` are the denies of one tool. */
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
