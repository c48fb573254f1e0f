import type { DeniedObjectStore } from './denied-object-store.js';
import type { MatchedPath, MatchedPaths } from './matched-paths.js';
import type { SensitiveRules } from './sensitive-rules.js';

/**
 * Files and folders that are secret by their names and belong to a package: packages bring certificates and examples
 * of settings, which everybody has who installs them. A mask would keep package managers from replacing them. What was
 * a secret at another place before stays one, and so does an object with a name outside of packages.
 */
export function shippedFiles(
  matches: MatchedPaths,
  rules: SensitiveRules,
  objects: Pick<DeniedObjectStore, 'wasSecret'>,
): readonly string[] {
  const shipped: (readonly [string, MatchedPath])[] = [];
  const elsewhere = new Set<string>();
  for (const [path, found] of matches.entries()) {
    if (found.kind !== 'hide' || found.closed) continue;
    if (rules.dependencies.ships(path) && rules.isHidden(path)) shipped.push([path, found]);
    else elsewhere.add(found.key);
  }
  return shipped
    .filter(([, { key }]) => !elsewhere.has(key) && !objects.wasSecret(key))
    .map(([path]) => path);
}
