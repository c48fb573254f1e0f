import { BoundedMap } from '../../../domain/bounded-map.js';
import type { FileProblem } from '../../../domain/file-problem.js';
import { outsideDependencies } from '../../../domain/permission/path/dependency-folders.js';
import { isInside, normalisePath } from '../../../domain/permission/path/normal-path.js';
import type { PathBounds } from '../../../domain/permission/path/path-bounds.js';
import { type PathRule, PathRules } from '../../../domain/permission/path/path-rules.js';
import {
  CREDENTIAL_CONFIGS,
  mayAskAbout,
  NEVER_PATHS,
  PROTECTED_PATHS,
  SECRET_PATHS,
  type SensitivePath,
} from '../../../domain/permission/path/sensitive-paths.js';
import { allowsAnyProgram, CommandRules } from '../../../domain/permission/policy/command-rules.js';
import { followingRules } from '../../../domain/permission/policy/following-rules.js';
import type { SandboxProfile } from '../../../domain/permission/policy/obligations.js';
import type { BuiltinPaths, PolicyLayer, ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import { fixedFolderOf } from '../../../domain/permission/policy/workspace-template.js';
import { type NormalName, normaliseToolName } from '../../../domain/tool/tool-name.js';
import type { GroupEntries, GroupEntry, PolicyDocument, SandboxEntry } from '../schema/policy-document.js';
import { BUILTIN_SANDBOXES } from './builtin-profiles.js';
import { compileRoles } from './compile-roles.js';
import { compilePaths, compileTool } from './compile-tool.js';
import { mergePolicies } from './merge-policies.js';
import type { Compilation, Expressions, PolicySurroundings } from './policy-compilation.js';
import { expandPlaceholders, type PathBase, resolvePattern } from './resolve-pattern.js';

export function compilePolicy(
  name: string,
  document: PolicyDocument,
  surroundings: PolicySurroundings,
  expressions: Expressions,
  problems: FileProblem[],
  embedders: 'allowed' | 'unknown' = 'unknown',
): PolicyLayer {
  const sandboxes = compileSandboxes(document, surroundings);
  const builtin = compileBuiltin(surroundings, callersFolders(document, surroundings));
  const bounds = compileBounds(document.groups ?? {}, { surroundings, problems });
  const compilation: Compilation = {
    document,
    surroundings,
    knownTools: new Map(
      surroundings.tools.map(({ name, capabilities }) => [normaliseToolName(name), capabilities]),
    ),
    sandboxes,
    builtin,
    bounds,
    expressions,
    problems,
  };
  const tools = compileTools(compilation);
  return {
    name,
    workspace: surroundings.workspace,
    tools,
    ...(embedders === 'allowed' && { unlisted: embeddersTools(compilation) }),
    knownTools: compilation.knownTools,
    ...(surroundings.embedded && { embedded: surroundings.embedded }),
    sandboxes,
    builtin,
    hiddenPaths: reaching('read_file', document.groups?.read, tools, compilation),
    unchangeablePaths: reaching('write_file', document.groups?.write, tools, compilation),
    bounds,
    deniedCommands:
      tools.get(normaliseToolName('execute_command'))?.deniedCommands ??
      new CommandRules([], surroundings.workspace),
    ...(document.audit?.arguments && { auditArguments: document.audit.arguments }),
    ...(document.also_allow && { hasAdditions: true }),
    ...compileRoles(document, problems),
  };
}

function compileTools(compilation: Compilation): Map<NormalName, ToolRules> {
  const { document, surroundings, knownTools } = compilation;
  const tools = new Map(
    Object.entries(document.tools ?? {}).map(([tool, entry]) => [
      normaliseToolName(tool),
      compileTool(tool, entry, compilation),
    ]),
  );
  const commands = tools.get(normaliseToolName('execute_command'));
  for (const rules of commands === undefined ? [] : followers(commands, surroundings)) {
    const normal = normaliseToolName(rules.tool);
    if (knownTools.has(normal)) tools.set(normal, rules);
  }
  return tools;
}

const EMBEDDER = { file: 'embedder', line: 1, column: 1 };
const REMEMBERED = 256;

/** Whoever adds a tool in code means it to be used: it has an empty entry until the file gives it one. */
function embeddersTools(compilation: Compilation): NonNullable<PolicyLayer['unlisted']> {
  const compiled = new BoundedMap<string, ToolRules>(REMEMBERED);
  return (tool) => {
    const normal = normaliseToolName(tool);
    const known = compiled.get(normal);
    if (known !== undefined) return known;
    const rules = compileTool(tool, { at: EMBEDDER }, compilation);
    compiled.set(normal, rules);
    return rules;
  };
}

function followers(commands: ToolRules, { workspace }: PolicySurroundings): readonly ToolRules[] {
  if (commands.allowedCommands.isEmpty) return [];
  const none = new CommandRules([], workspace);
  const rules = { allowedCommands: none, deniedCommands: none };
  const paths = { allowedPaths: PathRules.NONE, deniedPaths: PathRules.NONE };
  const anyProgram = commands.allowedCommands.rules.some(allowsAnyProgram);
  return followingRules(commands, { ...rules, ...paths }, anyProgram);
}

/** The denies of one tool that reach every other of its kind, with those of the group. */
function reaching(
  tool: string,
  group: GroupEntry | undefined,
  tools: PolicyLayer['tools'],
  compilation: Compilation,
): PathRules {
  const own = tools.get(normaliseToolName(tool))?.deniedPaths ?? PathRules.NONE;
  return group?.denied_paths === undefined ? own : joined(own, compilePaths(group.denied_paths, compilation));
}

function compileBounds(
  { read, write }: GroupEntries,
  compilation: Pick<Compilation, 'surroundings' | 'problems'>,
): PathBounds {
  const bound = (group: GroupEntry | undefined) =>
    group?.allowed_paths && { paths: compilePaths(group.allowed_paths, compilation), at: group.at };
  const reading = bound(read);
  const writing = bound(write);
  return { ...(reading && { read: reading }), ...(writing && { write: writing }) };
}

function compileSandboxes(document: PolicyDocument, base: PathBase): ReadonlyMap<string, SandboxProfile> {
  const entries = mergePolicies(
    { sandboxes: BUILTIN_SANDBOXES },
    { sandboxes: document.sandboxes ?? {} },
  ).sandboxes;
  return new Map(
    Object.entries(entries ?? {}).map(([name, entry]) => [name, compileSandbox(name, entry, base)]),
  );
}

function compileSandbox(name: string, entry: SandboxEntry, base: PathBase): SandboxProfile {
  const folders = (paths: readonly string[] | undefined) =>
    (paths ?? []).map((path) => normalisePath(expandPlaceholders(path, base), base.workspace));
  return {
    name,
    read: folders(entry.read),
    write: folders(entry.write),
    hide: (entry.hide ?? []).map((pattern) => resolvePattern(pattern, base)),
    // A sandbox that is silent about the network leaves the word to the tool's entry.
    network: entry.network ?? 'full',
    seccomp: entry.seccomp ?? 'default',
  };
}

let fixedPaths: Pick<BuiltinPaths, 'secrets' | 'credentialConfigs' | 'protected'> | undefined;
const OBEYED = 'somebody executes or obeys it later, outside the sandbox';

const OTHERS = 'it is the workspace of other callers';

function compileBuiltin(surroundings: PolicySurroundings, others: readonly string[]): BuiltinPaths {
  const { never, neverWritten, alsoProtected = [], workspace } = surroundings;
  fixedPaths ??= {
    secrets: builtinRules('secrets', 'it may hold secrets', SECRET_PATHS),
    credentialConfigs: builtinRules('secrets', 'it may hold credentials', CREDENTIAL_CONFIGS),
    protected: builtinRules('protected', OBEYED, PROTECTED_PATHS),
  };
  const spares = outsideDependencies(workspace, fixedPaths.protected);
  const foreign = builtinRules('principals', OTHERS, others.map(plain));
  return {
    never: builtinRules(
      'never',
      'it belongs to the server or to another process',
      [...NEVER_PATHS, ...never].map(plain),
    ),
    neverWritten: builtinRules('server-state', 'only the server itself writes it', neverWritten.map(plain)),
    ...fixedPaths,
    secrets: joined(fixedPaths.secrets, foreign),
    protected: joined(
      builtinRules('protected', OBEYED, [
        ...PROTECTED_PATHS.map((path) => ({ ...path, spares, mayAsk: mayAskAbout(path) })),
        ...alsoProtected.map(plain),
      ]),
      foreign,
    ),
  };
}

/**
 * Where principals work inside this workspace, which callers without a folder of their own do not see into. Folders
 * of principals that lie in the workspace itself are all that their names could be.
 */
function callersFolders(
  { principals = [] }: PolicyDocument,
  { workspace, callersRoot = workspace }: PolicySurroundings,
): readonly string[] {
  const folders = principals.flatMap(({ workspace: template = '.' }) => {
    const fixed = fixedFolderOf(template);
    const folder = normalisePath(fixed, callersRoot);
    if (folder !== workspace) return isInside(folder, workspace) ? [folder] : [];
    const isBelow = fixed !== template && callersRoot === workspace;
    return isBelow ? [`${workspace}/[A-Za-z0-9]*`] : [];
  });
  return [...new Set(folders)];
}

function joined(first: PathRules, second: PathRules): PathRules {
  if (second.isEmpty) return first;
  const rules = PathRules.compile([...first.rules, ...second.rules]);
  // Each of them has compiled by itself.
  return rules.success ? rules.value : first;
}

function plain(pattern: string): SensitivePath {
  return { pattern };
}

function builtinRules(
  id: string,
  why: string,
  paths: readonly (SensitivePath & Pick<PathRule, 'spares' | 'mayAsk'>)[],
): PathRules {
  const rules = paths.map(
    (path, index): PathRule => ({
      ...path,
      at: { file: `builtin:${id}`, line: index + 1, column: 1, id, why },
    }),
  );
  const compiled = PathRules.compile(rules);
  if (!compiled.success) throw new Error(`A built-in path is not a pattern: ${compiled.error}`);
  return compiled.value;
}
