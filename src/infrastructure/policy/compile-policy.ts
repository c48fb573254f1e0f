import type { FileProblem } from '../../domain/file-problem.js';
import { CommandRules } from '../../domain/permission/command-rules.js';
import { normalisePath } from '../../domain/permission/normal-path.js';
import type { SandboxProfile } from '../../domain/permission/obligations.js';
import { type PathRule, PathRules } from '../../domain/permission/path-rules.js';
import type { BuiltinPaths, PolicyLayer } from '../../domain/permission/policy-layer.js';
import {
  CREDENTIAL_CONFIGS,
  NEVER_PATHS,
  PROTECTED_PATHS,
  SECRET_PATHS,
  type SensitivePath,
} from '../../domain/permission/sensitive-paths.js';
import { BUILTIN_TOOLS } from '../../domain/permission/tool-powers.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';
import { BUILTIN_SANDBOXES } from './builtin-profiles.js';
import { compileRoles } from './compile-roles.js';
import { compileTool } from './compile-tool.js';
import { mergePolicies } from './merge-policies.js';
import type { Compilation, Expressions, PolicySurroundings } from './policy-compilation.js';
import type { PolicyDocument, SandboxEntry } from './policy-document.js';
import { expandPlaceholders, type PathBase } from './resolve-pattern.js';

export function compilePolicy(
  name: string,
  document: PolicyDocument,
  surroundings: PolicySurroundings,
  expressions: Expressions,
  problems: FileProblem[],
): PolicyLayer {
  const sandboxes = compileSandboxes(document, surroundings);
  const builtin = compileBuiltin(surroundings);
  const compilation: Compilation = { document, surroundings, sandboxes, builtin, expressions, problems };
  const tools = new Map(
    Object.entries(document.tools ?? {}).map(([tool, entry]) => [
      normaliseToolName(tool),
      compileTool(tool, entry, compilation),
    ]),
  );
  return {
    name,
    tools,
    knownTools: new Set([...BUILTIN_TOOLS, ...surroundings.tools].map(normaliseToolName)),
    sandboxes,
    builtin,
    hiddenPaths: tools.get(normaliseToolName('read_file'))?.deniedPaths ?? PathRules.NONE,
    unchangeablePaths: tools.get(normaliseToolName('write_file'))?.deniedPaths ?? PathRules.NONE,
    deniedCommands:
      tools.get(normaliseToolName('execute_command'))?.deniedCommands ??
      new CommandRules([], surroundings.workspace),
    ...compileRoles(document, problems),
  };
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
    hide: (entry.hide ?? []).map((pattern) => expandPlaceholders(pattern, base)),
    // A sandbox that is silent about the network leaves the word to the tool's entry.
    network: entry.network ?? 'full',
    seccomp: entry.seccomp ?? 'default',
  };
}

let fixedPaths: Pick<BuiltinPaths, 'secrets' | 'credentialConfigs' | 'protected'> | undefined;
const OBEYED = 'somebody executes or obeys it later, outside the sandbox';

function compileBuiltin({ never, neverWritten, alsoProtected = [] }: PolicySurroundings): BuiltinPaths {
  fixedPaths ??= {
    secrets: builtinRules('secrets', 'it may hold secrets', SECRET_PATHS),
    credentialConfigs: builtinRules('secrets', 'it may hold credentials', CREDENTIAL_CONFIGS),
    protected: builtinRules('protected', OBEYED, PROTECTED_PATHS),
  };
  return {
    never: builtinRules(
      'never',
      'it belongs to the server or to another process',
      [...NEVER_PATHS, ...never].map(plain),
    ),
    neverWritten: builtinRules('server-state', 'only the server itself writes it', neverWritten.map(plain)),
    ...fixedPaths,
    ...(alsoProtected.length > 0 && {
      protected: builtinRules('protected', OBEYED, [...PROTECTED_PATHS, ...alsoProtected.map(plain)]),
    }),
  };
}

function plain(pattern: string): SensitivePath {
  return { pattern };
}

function builtinRules(id: string, why: string, paths: readonly SensitivePath[]): PathRules {
  const rules = paths.map(
    (path, index): PathRule => ({
      ...path,
      at: { file: `builtin:${id}`, line: index + 1, column: 1, id, why },
    }),
  );
  const compiled = PathRules.compile(rules);
  if (!compiled.success) throw new Error(`A built-in path is no pattern: ${compiled.error}`);
  return compiled.value;
}
