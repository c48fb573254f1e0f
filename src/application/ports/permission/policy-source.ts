import type { ServiceIdentifier } from 'inversify';
import type { FileProblem } from '../../../domain/file-problem.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';

export interface RedactionSettings {
  readonly builtin: readonly string[];
  readonly patterns: readonly { readonly name: string; readonly regex: string; readonly replace: string }[];
  readonly results: boolean;
}

/** The active policy at one moment. A call takes one and keeps it to its end. */
export interface PolicySnapshot {
  readonly policy: PermissionPolicy;
  /** The hash of all its sources; consent is bound to it. */
  readonly hash: string;
  /** Its sources: files and profiles, the first one first. */
  readonly origin: readonly string[];
  /** Rules that load and are doubtful. */
  readonly warnings: readonly FileProblem[];
  /** Why the newest version of the file is not the active one; empty if it is. */
  readonly problems: readonly FileProblem[];
  /** A file changed and must be trusted; how to do that. */
  readonly notice?: string;
  readonly redaction: RedactionSettings;
}

/** Provides the policy. */
export interface PolicySource {
  /** Cheap: reads a field, never a file. */
  current(): PolicySnapshot;
  /**
   * Called after every change, including rejected ones (then `problems` is not empty). Returns a function
   * that stops listening.
   */
  onChange(listener: (snapshot: PolicySnapshot) => void): () => void;
  /**
   * Receives the names of all registered tools, again after each change. Tools of embedders that the policy
   * does not name may then be used under its built-in profiles. A source without this method knows its tools
   * itself.
   */
  announce?(tools: readonly string[]): void;
}

export const PolicySource: ServiceIdentifier<PolicySource> = Symbol.for('castellan.PolicySource');
