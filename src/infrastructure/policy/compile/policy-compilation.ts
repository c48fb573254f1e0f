import type { FileProblem } from '../../../domain/file-problem.js';
import type { PathBounds } from '../../../domain/permission/path/path-bounds.js';
import type { ArgumentConstraint } from '../../../domain/permission/policy/argument-constraint.js';
import type { SandboxProfile } from '../../../domain/permission/policy/obligations.js';
import type { BuiltinPaths, PolicyLayer } from '../../../domain/permission/policy/policy-layer.js';
import type { KnownTool } from '../../../domain/permission/policy/tool-capability.js';
import type { NormalName } from '../../../domain/tool/tool-name.js';
import type { PolicyDocument } from '../schema/policy-document.js';
import type { PathBase } from './resolve-pattern.js';

/** The surroundings that a policy is read in. */
export interface PolicySurroundings extends PathBase {
  /** Absolute paths or patterns that are neither read nor written: policy, settings, audit log, state … */
  readonly never: readonly string[];
  /** Absolute paths that no tool writes directly, such as the workspace's .castellan folder. */
  readonly neverWritten: readonly string[];
  /** Absolute paths of this workspace that are protected like the built-in ones, such as a folder of git hooks. */
  readonly alsoProtected?: readonly string[];
  /** What relative folders of principals mean, where this is the workspace of one of them; else the workspace. */
  readonly callersRoot?: string;
  /** Every tool there is. */
  readonly tools: readonly KnownTool[];
  /** Embedders' tools by name, also those that are added while the server runs: it changes. */
  readonly embedded?: ReadonlySet<NormalName>;
}

/** Compiled expressions of `arguments:`, by their source. */
export type Expressions = ReadonlyMap<string, NonNullable<ArgumentConstraint['pattern']>>;

export interface Compilation {
  readonly document: PolicyDocument;
  readonly surroundings: PolicySurroundings;
  readonly knownTools: PolicyLayer['knownTools'];
  readonly sandboxes: ReadonlyMap<string, SandboxProfile>;
  readonly builtin: BuiltinPaths;
  readonly bounds: PathBounds;
  readonly expressions: Expressions;
  readonly problems: FileProblem[];
}
