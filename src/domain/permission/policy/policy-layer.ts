import type { ShellMode } from '../../command/shell-mode.js';
import { type NormalName, normaliseToolName } from '../../tool/tool-name.js';
import type { ConsentTerms } from '../consent/consent.js';
import type { PathBounds } from '../path/path-bounds.js';
import type { PathRules } from '../path/path-rules.js';
import type { ArgumentConstraint } from './argument-constraint.js';
import type { BackgroundRule } from './background-rule.js';
import type { CommandRules } from './command-rules.js';
import type { HostRule } from './host-rules.js';
import type { ModelRules } from './model-rules.js';
import type { AuditArguments, Obligations, SandboxProfile } from './obligations.js';
import type { RolePolicy } from './policy-roles.js';
import type { RulePosition } from './rule-position.js';
import type { ToolCapability } from './tool-capability.js';

/** Everything one tool may do, compiled: its own entry over the defaults. */
export interface ToolRules {
  readonly tool: string;
  readonly at: RulePosition;
  readonly enabled: boolean;
  /** What the tool must be allowed in addition to this entry. */
  readonly capabilities: readonly ToolCapability[];
  readonly allowedPaths: PathRules;
  readonly deniedPaths: PathRules;
  /** The allowed paths that name a secret, and those that name a protected file. */
  readonly namedSecrets: PathRules;
  readonly namedProtected: PathRules;
  readonly allowedCommands: CommandRules;
  readonly deniedCommands: CommandRules;
  /** undefined if the file does not set it. */
  readonly shell: ShellMode | undefined;
  /** True if a command line of git only may restore protected files to what earlier commits have. */
  readonly gitMayRestore: boolean;
  /** undefined: a command ends with its call. */
  readonly background?: BackgroundRule;
  readonly allowedHosts: readonly HostRule[];
  readonly deniedHosts: readonly HostRule[];
  /** undefined: any model. */
  readonly allowedModels?: ModelRules;
  readonly arguments: ReadonlyMap<string, ArgumentConstraint>;
  readonly consent: ConsentTerms;
  readonly obligations: Obligations;
}

/** Paths that no list of the file decides about. */
export interface BuiltinPaths {
  /** Neither read nor written, whatever a key says. */
  readonly never: PathRules;
  readonly neverWritten: PathRules;
  readonly secrets: PathRules;
  readonly credentialConfigs: PathRules;
  readonly protected: PathRules;
}

/** One policy file with everything it extends. A ceiling is another layer that must agree. */
export interface PolicyLayer extends RolePolicy {
  readonly name: string;
  /** The directory to which relative paths of the file refer. */
  readonly workspace: string;
  readonly tools: ReadonlyMap<NormalName, ToolRules>;
  /**
   * The rules of a tool that an embedder added and the file does not name. undefined: the file builds on no
   * built-in profile, so such tools are denied too.
   */
  readonly unlisted?: (tool: string) => ToolRules;
  /** The tools that exist, listed or not, and what each must be allowed. */
  readonly knownTools: ReadonlyMap<NormalName, readonly ToolCapability[]>;
  /** Tools of embedders; the set changes when tools are added while the server runs. */
  readonly embedded?: ReadonlySet<NormalName>;
  readonly sandboxes: ReadonlyMap<string, SandboxProfile>;
  readonly builtin: BuiltinPaths;
  /**
   * `denied_paths` of read_file, which apply to everything that reveals, and of write_file, to everything
   * that changes files.
   */
  readonly hiddenPaths: PathRules;
  readonly unchangeablePaths: PathRules;
  /** files.read and files.write: the limits of everything that reads or changes files. */
  readonly bounds: PathBounds;
  readonly deniedCommands: CommandRules;
  /** How much of the arguments the audit keeps (default: paths and command lines). */
  readonly auditArguments?: AuditArguments;
  /** True if its file has an `also_allow` list, so that a hint must not start a second one. */
  readonly hasAdditions?: true;
}

/** Returns undefined if nothing allows the tool. */
export function rulesFor(layer: PolicyLayer, tool: string): ToolRules | undefined {
  const normal = normaliseToolName(tool);
  const own = layer.tools.get(normal);
  if (own !== undefined || layer.embedded?.has(normal) !== true) return own;
  return layer.unlisted?.(tool);
}
