import {
  dependencyFolderAbove,
  isShipped,
  packageFolderAbove,
} from '../../../domain/permission/path/dependency-folders.js';
import { type PathRule, PathRules } from '../../../domain/permission/path/path-rules.js';
import type { PathView } from '../../../domain/permission/policy/path-view.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { isWithin } from '../program/toolchains.js';
import type { SensitiveRules } from '../workspace/sensitive-rules.js';

/** The rules of a policy as the command tool meets them. */
export interface CommandRules extends SensitiveRules {
  /** Fixed paths below a root that need not exist yet. */
  readonly couldAppear: (root: string) => readonly string[];
  /** Where the server looks for its own files: what a command puts there must not take effect. */
  readonly isServerOwned: (path: string) => boolean;
}

interface CompiledPatterns {
  readonly never: PathRules;
  readonly serverOwned: PathRules;
  readonly hidden: PathRules;
  readonly denied: PathRules;
  readonly fixed: PathRules;
  /** Names that are fixed wherever they stand, for folders in which they do not exist yet. */
  readonly fixedNames: readonly string[];
  /** Fixed files with one place. */
  readonly fixedPaths: readonly string[];
  /** Both of them below a root, remembered: the answer is the same for every command. */
  readonly appearing: Map<string, readonly string[]>;
}

const compiled = new WeakMap<PermissionPolicy, Map<string, CompiledPatterns>>();
const ANYWHERE = '**/';

/** What the policy hides from commands and keeps from changing, beside what `extra` hides. */
export function commandRules(
  policy: PermissionPolicy,
  tool: string,
  paths: PathView,
  extra: readonly string[],
  workspace: string,
): CommandRules {
  const { never, hidden, denied, fixed, serverOwned, fixedNames, fixedPaths, appearing } = patternsOf(
    policy,
    tool,
  );
  const masks = compile(extra);
  const isNamed = (path: string): boolean => masks.covers(path) || never.covers(path) || denied.covers(path);
  return {
    isServerFile: (path) => never.covers(path),
    isServerOwned: (path) => serverOwned.covers(path),
    // The server's own files say what is forbidden and how it reaches others: nothing that an agent needs.
    isHidden: (path) =>
      masks.covers(path) || never.covers(path) || (hidden.covers(path) && !paths.canRead(path)),
    isNamed,
    namesSome: !masks.isEmpty || !denied.isEmpty,
    isFixed: (path) => fixed.covers(path) && !paths.canWrite(path),
    concerns: (folder) => {
      const lists = [never, masks, hidden, fixed].filter((rules) => !rules.isEmpty);
      const tests = lists.map((rules) => rules.coversIn(folder));
      return (name) => tests.some((test) => test(name));
    },
    pinnedParents: (path) =>
      Math.min(...[masks, never, hidden].flatMap((rules) => rules.findAll(path).map(parentsNamedBy))),
    dependencies: dependencyRules(workspace, isNamed),
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

export function dependencyRules(
  workspace: string,
  isNamed: (path: string) => boolean,
): CommandRules['dependencies'] {
  return {
    has: (path) => dependencyFolderAbove(path, workspace) !== undefined,
    ships: (path) => isShipped(path, workspace) && !isNamed(path),
    ownsRepository: (path) => packageFolderAbove(path, workspace) !== undefined,
  };
}

/** `**` + `/.env` holds anywhere; `**` + `/.docker/config.json` needs its folder's name; a path needs every folder. */
function parentsNamedBy({ pattern }: PathRule): number {
  if (!pattern.startsWith(ANYWHERE)) return Number.POSITIVE_INFINITY;
  const tail = pattern.slice(ANYWHERE.length);
  return tail.includes('**') || tail.includes('{') ? Number.POSITIVE_INFINITY : tail.split('/').length - 1;
}

function patternsOf(policy: PermissionPolicy, tool: string): CompiledPatterns {
  const tools = compiled.get(policy) ?? new Map<string, CompiledPatterns>();
  compiled.set(policy, tools);
  const known = tools.get(tool);
  if (known !== undefined) return known;
  const { never, serverOwned, hidden, denied, readOnly } = policy.patterns(tool);
  const texts = [...never, ...readOnly].map(({ pattern }) => pattern);
  const isPlain = (text: string): boolean => !/[*?[\]{}\\]/.test(text);
  const patterns: CompiledPatterns = {
    never: orNone(PathRules.compile(never)),
    serverOwned: orNone(PathRules.compile(serverOwned)),
    hidden: orNone(PathRules.compile(hidden)),
    denied: orNone(PathRules.compile(denied)),
    fixed: orNone(PathRules.compile(readOnly)),
    fixedNames: texts
      .filter((text) => text.startsWith(ANYWHERE) && isPlain(text.slice(3)))
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
