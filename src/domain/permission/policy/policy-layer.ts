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
  /** What the tool must be allowed beside this entry. */
  readonly capabilities: readonly ToolCapability[];
  readonly allowedPaths: PathRules;
  readonly deniedPaths: PathRules;
  /** The allowed paths that name a secret, and those that name a protected file. */
  readonly namedSecrets: PathRules;
  readonly namedProtected: PathRules;
  /** A person is asked about other protected files, in place of refusing them. */
  readonly asksProtected: boolean;
  readonly allowedCommands: CommandRules;
  readonly deniedCommands: CommandRules;
  /** undefined: the file says nothing about it. */
  readonly shell: ShellMode | undefined;
  /** git alone may bring protected files to what commits of before the session have. */
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

/** One policy file with everything it extends. A ceiling is a second one that must agree. */
export interface PolicyLayer extends RolePolicy {
  readonly name: string;
  /** What relative paths of the file mean. */
  readonly workspace: string;
  readonly tools: ReadonlyMap<NormalName, ToolRules>;
  /**
   * The rules of a tool that embedders added and that the file says nothing about. Absent: the file builds on no
   * built-in profile, so its silence denies such tools too.
   */
  readonly unlisted?: (tool: string) => ToolRules;
  /** The tools that exist, listed or not, and what each must be allowed. */
  readonly knownTools: ReadonlyMap<NormalName, readonly ToolCapability[]>;
  /** Those of embedders, with the ones that are added while the server runs: it changes. */
  readonly embedded?: ReadonlySet<NormalName>;
  readonly sandboxes: ReadonlyMap<string, SandboxProfile>;
  readonly builtin: BuiltinPaths;
  /** `denied_paths` of read_file bind whatever can reveal, those of write_file whatever changes. */
  readonly hiddenPaths: PathRules;
  readonly unchangeablePaths: PathRules;
  /** files.read and files.write: what everything that reads or changes is held to. */
  readonly bounds: PathBounds;
  readonly deniedCommands: CommandRules;
  /** How much the audit keeps of arguments; absent: what is usual. */
  readonly auditArguments?: AuditArguments;
  /** Its file has an `also_allow` list, which a hint must not ask for a second time. */
  readonly hasAdditions?: true;
}

/** Returns undefined if nothing allows the tool. */
export function rulesFor(layer: PolicyLayer, tool: string): ToolRules | undefined {
  const normal = normaliseToolName(tool);
  const own = layer.tools.get(normal);
  if (own !== undefined || layer.embedded?.has(normal) !== true) return own;
  return layer.unlisted?.(tool);
}
