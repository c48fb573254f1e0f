import type { HostTerms } from '../../../domain/permission/network/host-access.js';
import { boundSandbox } from '../../../domain/permission/path/path-bounds.js';
import { type PathRule, PathRules } from '../../../domain/permission/path/path-rules.js';
import type { ArgumentConstraint } from '../../../domain/permission/policy/argument-constraint.js';
import { DEFAULT_BACKGROUND } from '../../../domain/permission/policy/background-rule.js';
import { type CommandRule, CommandRules } from '../../../domain/permission/policy/command-rules.js';
import type { HostRule } from '../../../domain/permission/policy/host-rules.js';
import { ModelRules } from '../../../domain/permission/policy/model-rules.js';
import {
  type Network,
  type Obligations,
  type SandboxProfile,
  stricterNetwork,
  stricterSandbox,
  USUAL_AUDIT_ARGUMENTS,
} from '../../../domain/permission/policy/obligations.js';
import type { ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/policy/rule-position.js';
import { type NormalName, normaliseToolName } from '../../../domain/tool/tool-name.js';
import { didYouMean } from '../../config/did-you-mean.js';
import type { CommandEntry, Named, PathEntry, SettingsEntry, ToolEntry } from '../schema/policy-document.js';
import { NO_SANDBOX } from './merge-policies.js';
import type { Compilation } from './policy-compilation.js';
import { resolvePattern } from './resolve-pattern.js';

const CONVERSATION = normaliseToolName('claude_conversation');
const DEFAULT_SANDBOX = 'readonly';
const DEFAULT_ENVIRONMENT = { pass: ['PATH', 'LANG', 'TZ'], set: {}, accept: [] };

/** One tool's entry over the defaults, with patterns compiled and names looked up. */
export function compileTool(tool: string, entry: ToolEntry, compilation: Compilation): ToolRules {
  const { workspace } = compilation.surroundings;
  const normal = normaliseToolName(tool);
  const allowedPaths = compilePaths(entry.allowed_paths, compilation);
  const { secrets, credentialConfigs, protected: guarded } = compilation.builtin;
  const models = compileModels(entry, compilation);
  return {
    tool,
    at: entry.at,
    enabled: entry.enabled ?? true,
    capabilities: compilation.knownTools.get(normal) ?? [],
    allowedPaths,
    deniedPaths: compilePaths(entry.denied_paths, compilation),
    namedSecrets: naming(allowedPaths, [secrets, credentialConfigs]),
    namedProtected: naming(allowedPaths, [guarded]),
    asksProtected: entry.protected === 'ask',
    allowedCommands: new CommandRules(
      (entry.allowed_commands ?? []).map((rule) => toCommandRule(rule, compilation)),
      workspace,
    ),
    deniedCommands: new CommandRules(
      (entry.denied_commands ?? []).map((rule) => toCommandRule(rule, compilation)),
      workspace,
    ),
    shell: entry.shell?.value,
    gitMayRestore: entry.git_may_restore ?? false,
    ...(entry.background && { background: { ...DEFAULT_BACKGROUND, ...entry.background } }),
    allowedHosts: (entry.allowed_hosts ?? ownHosts(normal, entry)).map(toHostRule),
    deniedHosts: (entry.denied_hosts ?? []).map(toHostRule),
    ...(models && { allowedModels: models }),
    arguments: new Map(
      Object.entries(entry.arguments ?? {}).map(([name, { pattern, ...rest }]) => {
        const compiled = pattern && compilation.expressions.get(pattern.name);
        const constraint: ArgumentConstraint = { ...rest, ...(compiled && { pattern: compiled }) };
        return [name, constraint];
      }),
    ),
    consent: entry.consent ?? compilation.document.defaults?.consent ?? { mode: 'never' },
    obligations: compileObligations(normal, entry, compilation),
  };
}

function compileModels({ allowed_models: names, at }: ToolEntry, { problems }: Compilation) {
  if (names === undefined) return undefined;
  const compiled = ModelRules.compile(names);
  if (compiled.success) return compiled.value;
  const { file, line, column } = at;
  problems.push({ file, line, column, message: compiled.error });
  return undefined;
}

/** Where conversations go is the operator's own word, in the environment: an entry need not repeat it. */
function ownHosts(tool: NormalName, { at }: ToolEntry): readonly Named[] {
  return tool === CONVERSATION ? [{ name: '*', at }] : [];
}

function toHostRule({ name, at }: Named): HostRule {
  return { pattern: name, at };
}

export function compilePaths(
  entries: readonly PathEntry[] | undefined,
  compilation: Pick<Compilation, 'surroundings' | 'problems'>,
): PathRules {
  if (entries === undefined || entries.length === 0) return PathRules.NONE;
  const { surroundings, problems } = compilation;
  const rules = entries.map(
    ({ path, except, consent, at }): PathRule => ({
      pattern: resolvePattern(path, surroundings),
      ...(except && { except: except.map((pattern) => resolvePattern(pattern, surroundings)) }),
      ...(consent && { consent }),
      at,
    }),
  );
  const compiled = PathRules.compile(rules);
  if (compiled.success) return compiled.value;
  for (const rule of rules) {
    const alone = PathRules.compile([rule]);
    const { file, line, column } = rule.at;
    if (!alone.success) problems.push({ file, line, column, message: alone.error });
  }
  return PathRules.NONE;
}

/**
 * An allowed path names a guarded file when its own text, wildcards and all, is one: `**\/.env.local` names a
 * secret, `.` and `**\/*` do not.
 */
function naming(allowed: PathRules, guarded: readonly PathRules[]): PathRules {
  if (allowed === PathRules.NONE) return allowed;
  return allowed.where(({ pattern }) => {
    const text = pattern.startsWith('/') ? pattern : `/${pattern}`;
    return guarded.some((list) => list.covers(text));
  });
}

function toCommandRule(entry: CommandEntry, compilation: Compilation): CommandRule {
  const { command, except, any, consent, network, sandbox, limits, interpreter, at } = entry;
  if (sandbox !== undefined) findSandbox(sandbox, compilation);
  return {
    tokens: command,
    ...(except && { except }),
    ...(any && { any }),
    ...(consent && { consent }),
    ...(network && { network }),
    ...(sandbox && { sandbox: sandbox.name }),
    ...(limits && { limits }),
    ...(interpreter !== undefined && { interpreter }),
    at,
  };
}

function findSandbox({ name, at }: Named, { sandboxes, problems }: Compilation): SandboxProfile | undefined {
  if (name === NO_SANDBOX) return undefined;
  const profile = sandboxes.get(name);
  if (profile !== undefined) return profile;
  const known = [...sandboxes.keys(), NO_SANDBOX];
  const hint = didYouMean(name, known) ?? `Known: ${known.join(', ')}.`;
  problems.push({
    file: at.file,
    line: at.line,
    column: at.column,
    message: `No sandbox is called ${name}.`,
    hint,
  });
  return undefined;
}

function compileObligations(tool: NormalName, entry: ToolEntry, compilation: Compilation): Obligations {
  const { document } = compilation;
  const defaults: SettingsEntry = document.defaults ?? {};
  const profile = boundSandbox(
    sandboxOf(entry.sandbox ?? defaults.sandbox, entry.at, compilation),
    compilation.bounds,
  );
  const rate = entry.rate ?? defaults.rate;
  const tokens = entry.tokens ?? defaults.tokens;
  const breaker = entry.circuit_breaker ?? defaults.circuit_breaker;
  const wanted = entry.network ?? defaults.network;
  const network = stricterNetwork(wanted?.value ?? 'none', profile?.network ?? 'full');
  return {
    limits: { ...defaults.limits, ...entry.limits },
    timeoutNamed: entry.limits?.timeoutMs !== undefined,
    sandbox: profile,
    sandboxUnavailable: entry.sandbox_unavailable ?? defaults.sandbox_unavailable ?? 'deny',
    network,
    ...(wanted?.value === network && { networkAt: wanted.at }),
    ...(runsCommands(tool, compilation) && { hosts: [hostTerms(entry, network)] }),
    env: { ...DEFAULT_ENVIRONMENT, ...defaults.env, ...entry.env },
    consentUnavailable: 'deny',
    ...(rate && { rate }),
    ...(tokens && { tokens }),
    ...(breaker && { breaker }),
    auditRequired: (document.audit?.required_for ?? []).some(({ name }) => normaliseToolName(name) === tool),
    auditArguments: document.audit?.arguments ?? USUAL_AUDIT_ARGUMENTS,
    redactResults: document.redaction?.results ?? false,
  };
}

function runsCommands(tool: string, { knownTools }: Compilation): boolean {
  return knownTools.get(normaliseToolName(tool))?.includes('command') ?? false;
}

function hostTerms(entry: ToolEntry, network: Network): HostTerms {
  return {
    open: network === 'full',
    allowed: (entry.allowed_hosts ?? []).map(toHostRule),
    denied: (entry.denied_hosts ?? []).map(toHostRule),
    addresses: entry.allowed_addresses ?? [],
    loopback: entry.loopback ?? [],
  };
}

function sandboxOf(
  names: readonly Named[] | undefined,
  at: RulePosition,
  compilation: Compilation,
): SandboxProfile | undefined {
  return (names ?? [{ name: DEFAULT_SANDBOX, at }])
    .map((name) => findSandbox(name, compilation))
    .reduce(stricterSandbox, undefined);
}
