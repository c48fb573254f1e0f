import { choosesCode } from '../../../command/code-choosing-variables.js';
import { normaliseToolName } from '../../../tool/tool-name.js';
import { findBuiltinDeny, findPathDeny } from '../../path/check-paths.js';
import { isBeyond } from '../../path/path-bounds.js';
import { ruledBy } from '../background-rule.js';
import { checkConstraints, refusedVariables } from '../check/check-arguments.js';
import {
  checkBuiltinCommand,
  checkCommandFiles,
  checkDeniedCommand,
  checkProgram,
  filesOf,
} from '../check/check-commands.js';
import type { CanonicalRequest, DecisionRequest } from '../decision.js';
import { findHostRule } from '../host-rules.js';
import { type PolicyLayer, rulesFor, type ToolRules } from '../policy-layer.js';
import { rolesMayUse, rolesOf } from '../policy-roles.js';
import { type Addition, pathPattern } from './addition.js';
import { commandAddition } from './command-additions.js';

type PathRequest = Extract<CanonicalRequest, { kind: 'read' | 'write' }>;
type CommandRequest = Extract<CanonicalRequest, { kind: 'command' }>;
type HostRequest = Extract<CanonicalRequest, { kind: 'host' }>;

/** The requested tool and its rules, if the policy has an entry for it. */
interface Asked {
  readonly layer: PolicyLayer;
  readonly name: string;
  readonly rules: ToolRules | undefined;
}

/**
 * Everything that `also_allow` must list for this layer to allow the call, and nothing else. undefined if no
 * list can allow it: a deny, a constraint, a role or the sandbox refuses it.
 */
export function missingAdditions(
  layer: PolicyLayer,
  request: DecisionRequest,
): readonly Addition[] | undefined {
  const asked = findAsked(layer, request);
  if (asked === undefined) return undefined;
  const found: Addition[] = [];
  for (const part of request.requests) {
    const additions = part.kind === 'refused' ? undefined : forPart(asked, part);
    if (additions === undefined) return undefined;
    found.push(...additions);
  }
  if (found.length > 0) return found;
  const capabilities = layer.knownTools.get(normaliseToolName(request.tool)) ?? [];
  return asked.rules === undefined && capabilities.length === 0 ? [{ tool: asked.name }] : undefined;
}

function findAsked(layer: PolicyLayer, request: DecisionRequest): Asked | undefined {
  const { tool: name } = request;
  const normal = normaliseToolName(name);
  const rules = rulesFor(layer, name);
  if (rules === undefined ? !layer.knownTools.has(normal) || ruledBy(name) !== name : !rules.enabled)
    return undefined;
  const roles = request.roles ?? rolesOf(layer, request.caller);
  if (!rolesMayUse(layer, roles, rules?.tool ?? name)) return undefined;
  if (rules !== undefined && checkConstraints(rules, request) !== undefined) return undefined;
  return { layer, name: rules?.tool ?? name, rules };
}

function forPart(asked: Asked, part: CanonicalRequest): readonly Addition[] | undefined {
  switch (part.kind) {
    case 'read':
    case 'write':
      return forPath(asked, part);
    case 'command':
      return forCommand(asked, part);
    case 'host':
      return forHost(asked, part);
  }
}

function forPath(
  { layer, name, rules }: Asked,
  { kind, path }: PathRequest,
): readonly Addition[] | undefined {
  const { never, neverWritten } = layer.builtin;
  const reaching = kind === 'read' ? layer.hiddenPaths : layer.unchangeablePaths;
  const isDenied = rules === undefined ? reaching.covers(path) : findPathDeny(layer, rules, kind, path);
  if (isDenied || never.covers(path) || (kind === 'write' && neverWritten.covers(path))) return undefined;
  const pattern = pathPattern(path, layer.workspace);
  if (pattern === undefined) return undefined;
  const isGuarded = rules !== undefined && findBuiltinDeny(layer, rules, kind, path) !== undefined;
  const isAllowed = rules?.allowedPaths.covers(path) === true && !isGuarded;
  return [
    ...(isBeyond(layer.bounds, kind, path) ? [{ tool: `files.${kind}`, path: pattern }] : []),
    ...(isAllowed ? [] : [{ tool: name, path: pattern }]),
  ];
}

function forHost({ name, rules }: Asked, { host, port }: HostRequest): readonly Addition[] | undefined {
  if (findHostRule(rules?.deniedHosts ?? [], host, port) !== undefined) return undefined;
  if (findHostRule(rules?.allowedHosts ?? [], host, port) !== undefined) return [];
  return [{ tool: name, host: port === undefined || host.includes(':') ? host : `${host}:${port}` }];
}

/** Programs and variables can be added. Files that commands may not open depend on the sandbox. */
function forCommand({ layer, name, rules }: Asked, request: CommandRequest): readonly Addition[] | undefined {
  if (rules === undefined) {
    if (filesOf(request).length > 0 || request.env.length > 0) return undefined;
  } else if (
    checkBuiltinCommand(layer, rules, request) !== undefined ||
    checkDeniedCommand(layer, rules, request) !== undefined ||
    checkCommandFiles(layer, rules, request, false) !== undefined
  ) {
    return undefined;
  }
  const found: Addition[] = [];
  for (const call of request.programs) {
    if (call.possible) continue;
    const denial = rules && checkProgram(rules, call);
    if (denial !== undefined && !('effect' in denial)) continue;
    // An option that is refused by itself stays refused, whatever a rule names.
    const isUnlisted = rules === undefined || rules.allowedCommands.matching(call).length === 0;
    const isUntrusted = !isUnlisted && call.location === 'untrusted';
    const addition = commandAddition(
      name,
      call,
      layer.workspace,
      call.interpreter ? { interpreter: true } : {},
    );
    if (call.hazard !== undefined || isUntrusted || addition === undefined) return undefined;
    found.push(addition);
  }
  const variables = rules === undefined ? [] : refusedVariables(rules, request);
  if (variables.some((variable) => !isAcceptable(variable))) return undefined;
  return [...found, ...variables.map((env) => ({ tool: name, env }))];
}

/** Set by the server; a caller's value would have no effect. */
const KEPT: ReadonlySet<string> = new Set(['PATH', 'HOME']);

/** No hint suggests letting a caller choose which code runs. */
function isAcceptable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEPT.has(name) && !choosesCode(name);
}
