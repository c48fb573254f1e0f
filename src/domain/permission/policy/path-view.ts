import { findBuiltinDeny, findPathDeny, readDeniesIn } from '../path/check-paths.js';
import { type Access, isBeyond } from '../path/path-bounds.js';
import { type PolicyLayer, rulesFor, type ToolRules } from './policy-layer.js';
import { readableUnder } from './tool-reach.js';

/** What one tool may read and change, for guards and walkers that check every path they meet. */
export interface PathView {
  canRead(path: string): boolean;
  canWrite(path: string): boolean;
  /** `canRead` for the entries of one directory, by name: for walks, which check very many. */
  readableIn(folder: string): (name: string) => boolean;
}

/** Of one tool in the /tmp of its session, which nothing has to allow: denies alone. */
export function ownTmpViewOf(layers: readonly PolicyLayer[], tool: string): PathView {
  const pairs = layers.map((layer) => ({ layer, rules: rulesFor(layer, tool) }));
  const may = (access: Access, path: string): boolean =>
    pairs.every(({ layer, rules }) => rules !== undefined && !isDenied(layer, rules, access, path));
  return {
    canRead: (path) => may('read', path),
    canWrite: (path) => may('write', path),
    readableIn: (folder) => {
      const denies = pairs.map(({ layer, rules }) => rules && readDeniesIn(layer, rules, folder));
      return (name) => denies.every((denied) => denied?.(name) === false);
    },
  };
}

function isDenied(layer: PolicyLayer, rules: ToolRules, access: Access, path: string): boolean {
  return (
    findBuiltinDeny(layer, rules, access, path) !== undefined ||
    findPathDeny(layer, rules, access, path) !== undefined
  );
}

/** Denies and allows of one tool under all layers, decided on the path alone. */
export function pathViewOf(layers: readonly PolicyLayer[], tool: string): PathView {
  const pairs = layers.map((layer) => ({ layer, rules: rulesFor(layer, tool) }));
  const may = (access: Access, path: string): boolean =>
    pairs.every(
      ({ layer, rules }) =>
        rules !== undefined &&
        !isBeyond(layer.bounds, access, path) &&
        !isDenied(layer, rules, access, path) &&
        rules.allowedPaths.covers(path),
    );
  return {
    canRead: (path) => may('read', path),
    canWrite: (path) => may('write', path),
    readableIn: (folder) => {
      const checks = pairs.map(({ layer, rules }) => rules && readableUnder(layer, rules, folder));
      const [only] = checks;
      if (checks.length === 1 && only !== undefined) return only;
      return (name) => checks.every((check) => check?.(name) === true);
    },
  };
}
