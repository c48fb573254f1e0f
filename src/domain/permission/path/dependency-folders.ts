import { isInside } from './normal-path.js';
import type { RuleExceptions } from './path-rule-index.js';
import type { PathRules } from './path-rules.js';

/**
 * Directories that package managers and builds fill, replace and remove. They contain code that the user runs
 * anyway. Editors, agents and build servers follow files at the roots of the workspace and of its packages,
 * not in here.
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
 * Those in which people do not work: a repository there is part of a package. People do work in repositories
 * below vendor or target, such as submodules.
 */
const WITHOUT_WORK = new Set(DEPENDENCY_FOLDERS.filter((name) => name !== 'vendor' && name !== 'target'));
const NAMES = new Set(DEPENDENCY_FOLDERS);

/** The outermost dependency directory of the workspace above a path; the workspace itself may be in one. */
export function dependencyFolderAbove(path: string, workspace: string): string | undefined {
  return folderAbove(path, workspace, NAMES);
}

/** The same for directories whose repositories are part of packages. */
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
 * Files of one package: below its directory in node_modules, site-packages or bundler's gems. While npm
 * replaces a package it keeps the old one under a name such as `.eslint-Xa81kLmz`.
 */
const PACKAGE =
  /(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?(?:[^./@][^/]*|\.[^/]+-[\w-]{8})|(?:site|dist)-packages\/[^./][^/]*|(?:vendor\/bundle|\.bundle)\/(?:[^/]+\/)*gems\/[^./][^/]*)\/./;

/** Returns true if a package contains the file, by its path: everybody who installs the package has it. */
export function isShipped(path: string, workspace: string): boolean {
  return isInside(path, workspace) && PACKAGE.test(path.slice(workspace === '/' ? 1 : workspace.length + 1));
}

/** Exceptions for rules about names: dependency directories, except those that such a rule itself covers. */
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
