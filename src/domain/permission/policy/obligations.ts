import { smallest } from '../consent/consent.js';
import type { HostTerms } from '../network/host-access.js';
import { isInside } from '../path/normal-path.js';
import type { RulePosition } from './rule-position.js';

/** The maximum size of a call's arguments if the policy sets none. */
export const DEFAULT_MAX_INPUT_BYTES = 4 * 1024 * 1024;

/** Strictest first. */
export const NETWORKS = ['none', 'hosts', 'full'] as const;
export type Network = (typeof NETWORKS)[number];

/** Limits of one call. The server's default applies to a missing one. */
export interface Limits {
  readonly timeoutMs?: number;
  readonly maxInputBytes?: number;
  readonly maxOutputBytes?: number;
  readonly maxFileBytes?: number;
  readonly memoryBytes?: number;
  readonly processes?: number;
  readonly openFiles?: number;
  readonly diskBytes?: number;
  readonly concurrency?: number;
}

/** Strictest first. `unix_sockets`: the default filter, but unix sockets may be opened. `none`: no filter. */
export const SYSTEM_CALL_FILTERS = ['default', 'unix_sockets', 'none'] as const;
export type SystemCallFilter = (typeof SYSTEM_CALL_FILTERS)[number];

export interface SandboxProfile {
  readonly name: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Patterns to mask in addition to the secrets. */
  readonly hide: readonly string[];
  /** The most that commands get here, whatever their rules allow. */
  readonly network: Network;
  readonly seccomp: SystemCallFilter;
}

export interface EnvironmentRules {
  readonly pass: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** Names that the caller may set. */
  readonly accept: readonly string[];
}

export interface RateRule {
  readonly per: 'principal' | 'instance';
  readonly limit: number;
  readonly windowMs: number;
  readonly burst?: number;
  /** What happens if several instances cannot count together (default: `local`). */
  readonly onStoreFailure?: 'local' | 'deny';
}

/** What models may cost within a time, questions and answers together. */
export interface TokenRule {
  readonly per: 'principal' | 'instance';
  readonly limit: number;
  readonly windowMs: number;
  readonly onStoreFailure: 'local' | 'deny';
}

export interface BreakerRule {
  readonly failures: number;
  readonly openForMs: number;
}

/** The restrictions on an allowed call. */
export interface Obligations {
  readonly limits: Limits;
  /** True if the tool's own entry sets its time: only then may it be longer than the tool's own. */
  readonly timeoutNamed: boolean;
  /** undefined: no sandbox, by choice. */
  readonly sandbox: SandboxProfile | undefined;
  readonly sandboxUnavailable: 'deny' | 'none';
  readonly network: Network;
  /** The position of the rule that set it, if any. */
  readonly networkAt?: RulePosition;
  /** What commands with `network: hosts` reach. All of them hold. */
  readonly hosts?: readonly HostTerms[];
  readonly env: EnvironmentRules;
  readonly consentUnavailable: 'deny';
  readonly rate?: RateRule;
  /** All of them apply. */
  readonly tokens?: readonly TokenRule[];
  readonly breaker?: BreakerRule;
  readonly auditRequired: boolean;
  readonly auditArguments: AuditArguments;
  readonly redactResults: boolean;
}

/**
 * How much of the arguments a record keeps: a keyed hash; types and lengths; paths and command lines with the
 * hash; or all of it. Everything kept is redacted.
 */
export type AuditArguments = 'hashed' | 'shape' | 'paths' | 'full';

export const USUAL_AUDIT_ARGUMENTS: AuditArguments = 'paths';

const AUDIT_STRICTNESS: Readonly<Record<AuditArguments, number>> = { hashed: 3, shape: 2, paths: 1, full: 0 };

export function stricterArguments(first: AuditArguments, second: AuditArguments): AuditArguments {
  return AUDIT_STRICTNESS[first] >= AUDIT_STRICTNESS[second] ? first : second;
}

export function stricterObligations(first: Obligations, second: Obligations): Obligations {
  const rate = slowerRate(first.rate, second.rate);
  const breaker = stricterBreaker(first.breaker, second.breaker);
  const { networkAt } = isStricter(second.network, first.network) ? second : first;
  return {
    limits: smallestLimits(first.limits, second.limits),
    timeoutNamed: first.timeoutNamed && second.timeoutNamed,
    sandbox: stricterSandbox(first.sandbox, second.sandbox),
    sandboxUnavailable:
      first.sandboxUnavailable === 'deny' || second.sandboxUnavailable === 'deny' ? 'deny' : 'none',
    network: stricterNetwork(first.network, second.network),
    ...(networkAt && { networkAt }),
    ...((first.hosts || second.hosts) && { hosts: [...(first.hosts ?? []), ...(second.hosts ?? [])] }),
    env: narrowerEnvironment(first.env, second.env),
    consentUnavailable: 'deny',
    ...(rate && { rate }),
    ...((first.tokens || second.tokens) && { tokens: [...(first.tokens ?? []), ...(second.tokens ?? [])] }),
    ...(breaker && { breaker }),
    auditRequired: first.auditRequired || second.auditRequired,
    auditArguments: stricterArguments(first.auditArguments, second.auditArguments),
    redactResults: first.redactResults || second.redactResults,
  };
}

export const LIMIT_NAMES = [
  'timeoutMs',
  'maxInputBytes',
  'maxOutputBytes',
  'maxFileBytes',
  'memoryBytes',
  'processes',
  'openFiles',
  'diskBytes',
  'concurrency',
] as const satisfies readonly (keyof Limits)[];

export function smallestLimits(first: Limits, second: Limits): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = {};
  for (const name of LIMIT_NAMES) {
    const value = smallest(first[name], second[name]);
    if (value !== undefined) limits[name] = value;
  }
  return limits;
}

export function stricterNetwork(first: Network, second: Network): Network {
  return isStricter(second, first) ? second : first;
}

export function isStricter(one: Network, other: Network): boolean {
  return NETWORKS.indexOf(one) < NETWORKS.indexOf(other);
}

/** Combines two sandboxes: it shows what both show and hides what either hides. */
export function stricterSandbox(
  first: SandboxProfile | undefined,
  second: SandboxProfile | undefined,
): SandboxProfile | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first === second) return first;
  return {
    name: first.name === second.name ? first.name : `${first.name}+${second.name}`,
    read: commonFolders([...first.read, ...first.write], [...second.read, ...second.write]),
    write: commonFolders(first.write, second.write),
    hide: [...new Set([...first.hide, ...second.hide])],
    network: stricterNetwork(first.network, second.network),
    seccomp: stricterFilter(first.seccomp, second.seccomp),
  };
}

function stricterFilter(first: SystemCallFilter, second: SystemCallFilter): SystemCallFilter {
  return SYSTEM_CALL_FILTERS.find((filter) => filter === first || filter === second) ?? 'default';
}

function commonFolders(first: readonly string[], second: readonly string[]): readonly string[] {
  const inBoth = [
    ...first.filter((folder) => second.some((other) => isInside(folder, other))),
    ...second.filter((folder) => first.some((other) => isInside(folder, other))),
  ];
  return [...new Set(inBoth)];
}

export function narrowerEnvironment(first: EnvironmentRules, second: EnvironmentRules): EnvironmentRules {
  return {
    pass: first.pass.filter((name) => second.pass.includes(name)),
    // The ceiling's value wins if both set one; it adds none of its own.
    set: Object.fromEntries(
      Object.entries(first.set).map(([name, value]) => [name, second.set[name] ?? value]),
    ),
    accept: first.accept.filter((name) => second.accept.includes(name)),
  };
}

export function slowerRate(first: RateRule | undefined, second: RateRule | undefined): RateRule | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const slower = first.limit / first.windowMs <= second.limit / second.windowMs ? first : second;
  const denies = first.onStoreFailure === 'deny' || second.onStoreFailure === 'deny';
  return denies ? { ...slower, onStoreFailure: 'deny' } : slower;
}

function stricterBreaker(first?: BreakerRule, second?: BreakerRule): BreakerRule | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    failures: Math.min(first.failures, second.failures),
    openForMs: Math.max(first.openForMs, second.openForMs),
  };
}
