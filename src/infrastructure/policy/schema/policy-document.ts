import type { ShellMode } from '../../../domain/command/shell-mode.js';
import type { ConsentTerms } from '../../../domain/permission/consent/consent.js';
import type { ArgumentConstraint } from '../../../domain/permission/policy/argument-constraint.js';
import type {
  AuditArguments,
  BreakerRule,
  Limits,
  Network,
  RateRule,
  SystemCallFilter,
  TokenRule,
} from '../../../domain/permission/policy/obligations.js';
import type { RulePosition } from '../../../domain/permission/policy/rule-position.js';
import type { Caller } from '../../../domain/session/caller.js';

/** A value that may turn out wrong only after files have been merged. */
export interface Named {
  readonly name: string;
  readonly at: RulePosition;
}

interface RuleNotes {
  readonly match?: readonly Named[];
  readonly not_match?: readonly Named[];
  readonly at: RulePosition;
}

export interface PathEntry extends RuleNotes {
  readonly path: string;
  readonly except?: readonly string[];
  readonly consent?: ConsentTerms;
}

export interface CommandEntry extends RuleNotes {
  readonly command: readonly (readonly string[])[];
  readonly except?: readonly (readonly (readonly string[])[])[];
  readonly any?: readonly string[];
  readonly consent?: ConsentTerms;
  readonly network?: Network;
  readonly sandbox?: Named;
  readonly limits?: Limits;
  readonly interpreter?: boolean;
}

export interface EnvironmentEntry {
  readonly pass?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly accept?: readonly string[];
}

export interface NetworkEntry {
  readonly value: Network;
  readonly at: RulePosition;
}

/** The keys that `defaults` and a tool's entry share. */
export interface SettingsEntry {
  readonly consent?: ConsentTerms;
  readonly consent_unavailable?: 'deny';
  /** More than one after files have met: all of them hold. */
  readonly sandbox?: readonly Named[];
  readonly sandbox_unavailable?: 'deny' | 'none';
  readonly network?: NetworkEntry;
  readonly env?: EnvironmentEntry;
  readonly limits?: Limits;
  readonly rate?: RateRule;
  /** More than one after files have met: all of them hold. */
  readonly tokens?: readonly TokenRule[];
  readonly circuit_breaker?: BreakerRule;
}

export type ConstraintEntry = Omit<ArgumentConstraint, 'pattern'> & { readonly pattern?: Named };

/** false: commands end with their call, whatever an extended file says. */
export type BackgroundEntry = false | { readonly max?: number; readonly ttlMs?: number };

export interface ShellEntry {
  readonly value: ShellMode;
  readonly at: RulePosition;
}

export interface ToolEntry extends SettingsEntry {
  readonly enabled?: boolean;
  readonly allowed_commands?: readonly CommandEntry[];
  readonly denied_commands?: readonly CommandEntry[];
  readonly shell?: ShellEntry;
  readonly git_may_restore?: boolean;
  readonly protected?: 'deny' | 'ask';
  readonly background?: BackgroundEntry;
  readonly allowed_paths?: readonly PathEntry[];
  readonly denied_paths?: readonly PathEntry[];
  readonly allowed_hosts?: readonly Named[];
  readonly denied_hosts?: readonly Named[];
  /** Private ranges in which hosts of commands may lie. */
  readonly allowed_addresses?: readonly string[];
  /** Ports of services of this machine that commands reach. */
  readonly loopback?: readonly number[];
  readonly allowed_models?: readonly string[];
  readonly arguments?: Readonly<Record<string, ConstraintEntry>>;
  readonly at: RulePosition;
}

export interface SandboxEntry {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly hide?: readonly string[];
  readonly network?: Network;
  readonly seccomp?: SystemCallFilter;
  /** Nothing else can be said: no sandbox of ours lets a command gain privileges. */
  readonly new_privileges?: false;
  /** Absent for the built-in ones. */
  readonly at?: RulePosition;
}

export interface PrincipalEntry {
  readonly transport?: readonly Caller['transport'][];
  readonly issuer?: string;
  readonly claim?: Readonly<Record<string, string>>;
  readonly api_key?: string;
  readonly roles: readonly Named[];
  readonly workspace?: string;
  readonly name?: string;
}

export interface RoleEntry {
  readonly inherits?: readonly Named[];
  readonly tools?: readonly Named[];
  readonly denied_tools?: readonly Named[];
  readonly at: RulePosition;
}

export interface RedactionPattern {
  readonly name: string;
  readonly regex: string;
  readonly replace: string;
  readonly at: RulePosition;
}

export interface RedactionEntry {
  readonly builtin?: readonly string[];
  readonly patterns?: readonly RedactionPattern[];
  readonly results?: boolean;
}

export interface AuditEntry {
  readonly required_for?: readonly Named[];
  readonly arguments?: AuditArguments;
}

export type ExpectedEffect = 'allow' | 'deny' | 'ask' | 'always' | 'explicit';

export interface PolicyTest {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly roles?: readonly string[];
  readonly expect: ExpectedEffect;
  readonly reason?: string;
  readonly at: RulePosition;
}

/** An entry of `also_allow`: one permission beside what the lists of a tool have. A tool alone needs none of them. */
export interface AddedPermission {
  readonly tool: string;
  readonly path?: PathEntry;
  readonly command?: CommandEntry;
  readonly host?: Named;
  /** A variable that the caller may set. */
  readonly env?: string;
  readonly at: RulePosition;
}

/** `files.read` and `files.write` under tools: they bind every tool and every command. */
export interface GroupEntry {
  readonly allowed_paths?: readonly PathEntry[];
  readonly denied_paths?: readonly PathEntry[];
  readonly at: RulePosition;
}

export interface GroupEntries {
  readonly read?: GroupEntry;
  readonly write?: GroupEntry;
}

/** A policy file, read and checked but not yet resolved against a workspace. */
export interface PolicyDocument {
  readonly extends?: readonly Named[];
  readonly defaults?: SettingsEntry;
  readonly sandboxes?: Readonly<Record<string, SandboxEntry>>;
  readonly principals?: readonly PrincipalEntry[];
  readonly roles?: Readonly<Record<string, RoleEntry>>;
  readonly tools?: Readonly<Record<string, ToolEntry>>;
  readonly groups?: GroupEntries;
  /** Of this file; those of an extended one are in its lists already. */
  readonly also_allow?: readonly AddedPermission[];
  readonly redaction?: RedactionEntry;
  readonly audit?: AuditEntry;
  readonly tests?: readonly PolicyTest[];
}
