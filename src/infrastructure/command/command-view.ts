import { mkdirSync, realpathSync } from 'node:fs';
import { PathRules } from '../../domain/permission/path-rules.js';
import type { PathView, PermissionPolicy } from '../../domain/permission/permission-policy.js';
import { isWithin } from '../sandbox/toolchains.js';
import type { SensitiveRules } from './sensitive-files.js';

export interface ViewFolders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** The folders of a sandbox by their real names. What is to be written is made first: nobody could bind it else. */
export function realFolders(folders: ViewFolders, workspace: string): ViewFolders {
  for (const folder of folders.write) make(folder);
  const real = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.flatMap((path) => realFolder(path, workspace) ?? [])),
  ];
  return { read: real(folders.read), write: real(folders.write) };
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // It stays away from the view, and the command says that it cannot write there.
  }
}

function realFolder(path: string, workspace: string): string | undefined {
  try {
    const real = realpathSync(path);
    // Whoever may write in the workspace may have made the link that leads out of it.
    return isWithin(path, workspace) && !isWithin(real, workspace) ? undefined : real;
  } catch {
    // What is not there is not part of the view.
    return undefined;
  }
}

const compiled = new WeakMap<PermissionPolicy, Map<string, CompiledPatterns>>();

interface CompiledPatterns {
  readonly never: PathRules;
  readonly hidden: PathRules;
  readonly fixed: PathRules;
  /** Names that are fixed wherever they stand, for folders in which they do not exist yet. */
  readonly fixedNames: readonly string[];
  /** Fixed files with one place. */
  readonly fixedPaths: readonly string[];
  /** Both of them below a root, remembered: the answer is the same for every command. */
  readonly appearing: Map<string, readonly string[]>;
}

/** What the policy hides from commands and keeps from changing, beside what `extra` hides. */
export function sensitiveRules(
  policy: PermissionPolicy,
  tool: string,
  paths: PathView,
  extra: readonly string[],
): SensitiveRules & { readonly couldAppear: (root: string) => readonly string[] } {
  const { never, hidden, fixed, fixedNames, fixedPaths, appearing } = patternsOf(policy, tool);
  const masks = compile(extra);
  return {
    isServerFile: (path) => never.covers(path),
    isHidden: (path) => masks.covers(path) || (hidden.covers(path) && !paths.canRead(path)),
    isFixed: (path) => fixed.covers(path) && !paths.canWrite(path),
    couldAppear: (root) => {
      const known =
        appearing.get(root) ??
        [...fixedNames.map((name) => `${root}/${name}`), ...fixedPaths].filter(
          (path) => isWithin(path, root) && !paths.canWrite(path),
        );
      appearing.set(root, known);
      return known;
    },
  };
}

function patternsOf(policy: PermissionPolicy, tool: string): CompiledPatterns {
  const tools = compiled.get(policy) ?? new Map<string, CompiledPatterns>();
  compiled.set(policy, tools);
  const known = tools.get(tool);
  if (known !== undefined) return known;
  const { never, hidden, readOnly } = policy.patterns(tool);
  const texts = [...never, ...readOnly].map(({ pattern }) => pattern);
  const isPlain = (text: string): boolean => !/[*?[\]{}\\]/.test(text);
  const patterns: CompiledPatterns = {
    never: orNone(PathRules.compile(never)),
    hidden: orNone(PathRules.compile(hidden)),
    fixed: orNone(PathRules.compile(readOnly)),
    fixedNames: texts
      .filter((text) => text.startsWith('**/') && isPlain(text.slice(3)))
      .map((text) => text.slice(3)),
    appearing: new Map(),
    fixedPaths: texts.filter((text) => text.startsWith('/') && isPlain(text)),
  };
  tools.set(tool, patterns);
  return patterns;
}

function compile(patterns: readonly string[]): PathRules {
  const at = { file: 'sandbox', line: 1, column: 1 };
  return orNone(PathRules.compile(patterns.map((pattern) => ({ pattern, at }))));
}

function orNone(result: ReturnType<typeof PathRules.compile>): PathRules {
  // The policy has compiled each of these already.
  if (!result.success) throw new Error(result.error);
  return result.value;
}
