import { isInside } from './normal-path.js';
import type { RuleExceptions } from './path-rule-index.js';
import type { PathRules } from './path-rules.js';

/**
 * Folders that package managers and builds fill, replace and remove as they like. What they hold is code that the
 * user runs anyway, and no editor, agent or build server obeys a file in there: obeyed is what lies at the roots of
 * the workspace and of its packages.
 */
export const DEPENDENCY_FOLDERS: readonly string[] = [
  'node_modules',
  'bower_components',
  '.pnpm-store',
  '.venv',
  'venv',
  'site-packages',
  'dist-packages',
  '__pypackages__',
  '.tox',
  '.nox',
  '.eggs',
  'vendor',
  '.bundle',
  'target',
  'Pods',
  'Carthage',
];

/**
 * Of these, the folders in which nobody works: a repository in there is part of a package. People do work in
 * repositories below vendor or target, as in submodules.
 */
const WITHOUT_WORK = new Set(DEPENDENCY_FOLDERS.filter((name) => name !== 'vendor' && name !== 'target'));
const NAMES = new Set(DEPENDENCY_FOLDERS);

/** The outermost dependency folder of the workspace above a path; the workspace itself may lie in one. */
export function dependencyFolderAbove(path: string, workspace: string): string | undefined {
  return folderAbove(path, workspace, NAMES);
}

/** The same for folders whose repositories nobody works in. */
export function packageFolderAbove(path: string, workspace: string): string | undefined {
  return folderAbove(path, workspace, WITHOUT_WORK);
}

function folderAbove(path: string, workspace: string, names: ReadonlySet<string>): string | undefined {
  if (!isInside(path, workspace)) return undefined;
  let start = workspace === '/' ? 1 : workspace.length + 1;
  for (let end = path.indexOf('/', start); end > 0; end = path.indexOf('/', start)) {
    if (names.has(path.slice(start, end))) return path.slice(0, end);
    start = end + 1;
  }
  return undefined;
}

/**
 * Files of one package: below its folder in node_modules, site-packages or bundler's gems. npm keeps the packages that
 * it replaces under names such as `.eslint-Xa81kLmz` until it is done.
 */
const PACKAGE =
  /(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?(?:[^./@][^/]*|\.[^/]+-[\w-]{8})|(?:site|dist)-packages\/[^./][^/]*|(?:vendor\/bundle|\.bundle)\/(?:[^/]+\/)*gems\/[^./][^/]*)\/./;

/** A package has brought it, by its place: whoever installs the package has it too. */
export function isShipped(path: string, workspace: string): boolean {
  return isInside(path, workspace) && PACKAGE.test(path.slice(workspace === '/' ? 1 : workspace.length + 1));
}

/** What rules about names leave out: dependency folders, but for those that such a rule covers themselves. */
export function outsideDependencies(workspace: string, rules: PathRules): RuleExceptions {
  const covers = (path: string): boolean => {
    const folder = dependencyFolderAbove(path, workspace);
    return folder !== undefined && !rules.covers(folder);
  };
  return {
    covers,
    coversIn: (folder) => {
      const isSpared = covers(`${folder}/`);
      return () => isSpared;
    },
  };
}
