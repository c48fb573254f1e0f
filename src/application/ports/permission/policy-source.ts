import type { ServiceIdentifier } from 'inversify';
import type { FileProblem } from '../../../domain/file-problem.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';

export interface RedactionSettings {
  readonly builtin: readonly string[];
  readonly patterns: readonly { readonly name: string; readonly regex: string; readonly replace: string }[];
  readonly results: boolean;
}

/** The policy in force at one moment. A call takes one and keeps it to its end. */
export interface PolicySnapshot {
  readonly policy: PermissionPolicy;
  /** Of everything that made it; consent is bound to it. */
  readonly hash: string;
  /** Where it came from: files and profiles, the first one first. */
  readonly origin: readonly string[];
  /** Doubtful rules, which load all the same. */
  readonly warnings: readonly FileProblem[];
  /** Why the newest version of the file is not the one in force; empty when it is. */
  readonly problems: readonly FileProblem[];
  /** A file changed and waits to be trusted; what to do about it. */
  readonly notice?: string;
  readonly redaction: RedactionSettings;
}

/** Where the policy comes from. */
export interface PolicySource {
  /** Cheap: a field, never a file. */
  current(): PolicySnapshot;
  /** Told after every change, a refused one included (then `problems` is not empty). Returns how to stop. */
  onChange(listener: (snapshot: PolicySnapshot) => void): () => void;
  /**
   * Told the names of all registered tools, again after each change. Those of embedders that the policy says nothing
   * about may then be used under its built-in profiles. A source without it knows its tools by itself.
   */
  announce?(tools: readonly string[]): void;
}

export const PolicySource: ServiceIdentifier<PolicySource> = Symbol.for('castellan.PolicySource');
