import { type ConsentTerms, stricterConsent } from '../consent/consent.js';
import { consentToDelete } from '../consent/deletion-consent.js';
import { reachInWords } from '../network/host-access.js';
import {
  checkAllowedPath,
  checkBuiltinPath,
  checkDeniedPath,
  findProtectedAsk,
  type Grant,
} from '../path/check-paths.js';
import { checkArguments } from './check/check-arguments.js';
import {
  checkAllowedCommand,
  checkBuiltinCommand,
  checkDeniedCommand,
  grantOf,
} from './check/check-commands.js';
import { findTool, wrongRole } from './check/check-tool.js';
import { bindCommand } from './command-obligations.js';
import {
  type CanonicalRequest,
  type DecisionRequest,
  type DecisionStep,
  type Denial,
  deny,
  type RefusedRequest,
} from './decision.js';
import { findHostRule } from './host-rules.js';
import { type Obligations, stricterObligations } from './obligations.js';
import type { PolicyLayer, ToolRules } from './policy-layer.js';
import { rolesMayUse, rolesOf } from './policy-roles.js';
import type { RulePosition } from './rule-position.js';

export interface LayerPermit {
  readonly effect: 'permit';
  readonly rule: RulePosition;
  readonly consent: ConsentTerms;
  readonly obligations: Obligations;
  /** Protected files that the call may write if the person agrees. */
  readonly opens?: readonly string[];
}

export type StepSink = (step: DecisionStep) => void;

type Check = DecisionStep['check'];

/** The decision of one layer; the first refusal ends it. */
export function decideLayer(
  layer: PolicyLayer,
  request: DecisionRequest,
  steps?: StepSink,
): LayerPermit | Denial {
  // Called with `?.`, so that unused messages are not built.
  const pass =
    steps &&
    ((check: Check, detail: string) => steps({ check, outcome: 'passed', policy: layer.name, detail }));
  const refuse = (check: Check, denial: Denial): Denial => {
    const { message, rule } = denial;
    steps?.({ check, outcome: 'refused', policy: layer.name, detail: message, ...(rule && { rule }) });
    return denial;
  };
  const tool = findTool(layer, request.tool);
  if ('effect' in tool) return refuse('tool', tool);
  pass?.('tool', `${tool.tool} is listed and enabled.`);
  const roles = request.roles ?? rolesOf(layer, request.caller);
  if (!rolesMayUse(layer, roles, tool.tool)) return refuse('roles', wrongRole(layer, tool, roles));
  pass?.('roles', `Role ${roles.join(', ')} may use it.`);
  const argument = checkArguments(tool, request);
  if (argument !== undefined) return refuse('arguments', argument);
  pass?.('arguments', 'The arguments keep every constraint.');
  const unclear = checkCanonical(tool, request);
  if (unclear !== undefined) return refuse('canonical', unclear);
  pass?.('canonical', 'Paths and commands are understood.');
  const builtin = firstDenial(request, (part) => checkBuiltin(layer, tool, part));
  if (builtin !== undefined) return refuse('built-in', builtin);
  pass?.('built-in', 'No built-in refusal applies.');
  const denied = firstDenial(request, (part) => checkDenied(layer, tool, part));
  if (denied !== undefined) return refuse('denies', denied);
  pass?.('denies', 'No deny applies.');
  return decideAllows(tool, request, layer, steps);
}

function checkCanonical(tool: ToolRules, request: DecisionRequest): Denial | undefined {
  for (const part of request.requests) {
    if (part.kind === 'refused') {
      return deny(part.reason, { kind: 'command', text: request.tool }, part.message, part.hint, tool.at);
    }
  }
  return undefined;
}

function firstDenial(
  request: DecisionRequest,
  check: (part: CanonicalRequest) => Denial | undefined,
): Denial | undefined {
  for (const part of request.requests) {
    const denial = part.kind === 'refused' ? undefined : check(part);
    if (denial !== undefined) return naming(part, denial);
  }
  return undefined;
}

/** If there are several paths, the refusal names the one it is about. */
function naming(part: CanonicalRequest | RefusedRequest, denial: Denial): Denial {
  if ((part.kind !== 'read' && part.kind !== 'write') || part.argument === 'path') return denial;
  return { ...denial, hint: `${part.argument}: ${denial.hint}` };
}

function checkBuiltin(layer: PolicyLayer, tool: ToolRules, part: CanonicalRequest): Denial | undefined {
  switch (part.kind) {
    case 'read':
    case 'write':
      return checkBuiltinPath(layer, tool, part.kind, part.path);
    case 'command':
      return checkBuiltinCommand(layer, tool, part);
    case 'host':
      return undefined;
  }
}

function checkDenied(layer: PolicyLayer, tool: ToolRules, part: CanonicalRequest): Denial | undefined {
  switch (part.kind) {
    case 'read':
    case 'write':
      return checkDeniedPath(layer, tool, part.kind, part.path);
    case 'command':
      return checkDeniedCommand(layer, tool, part);
    case 'host': {
      const rule = findHostRule(tool.deniedHosts, part.host, part.port);
      return (
        rule && hostDenied(tool, part.host, `${part.host} is denied by ${rule.pattern}.`, rule.at, false)
      );
    }
  }
}

function hostDenied(
  { tool }: ToolRules,
  host: string,
  message: string,
  at: RulePosition,
  mayBeListed: boolean,
): Denial {
  const hint = mayBeListed
    ? `The policy does not allow ${tool} to reach this host.`
    : 'The policy denies this host.';
  return deny('NO_ALLOW', { kind: 'host', text: host }, message, hint, at);
}

function decideAllows(
  tool: ToolRules,
  request: DecisionRequest,
  layer: PolicyLayer,
  steps: StepSink | undefined,
): LayerPermit | Denial {
  let { consent, obligations } = tool;
  let rule = tool.at;
  const opens: string[] = [];
  for (const part of request.requests) {
    if (part.kind === 'refused') continue;
    const commands = part.kind === 'command' ? checkAllowedCommand(layer, tool, part) : [];
    const grant =
      'effect' in commands
        ? commands
        : part.kind === 'command'
          ? grantOf(tool, commands)
          : allow(layer, tool, part);
    if ('effect' in grant) {
      const { message: detail, rule: at } = grant;
      steps?.({ check: 'allows', outcome: 'refused', policy: layer.name, detail, ...(at && { rule: at }) });
      return naming(part, grant);
    }
    rule = rule === tool.at ? grant.rule : rule;
    consent = grant.consents.reduce(stricterConsent, consent);
    const asked = part.kind === 'write' ? findProtectedAsk(layer, tool, part.path) : undefined;
    if (part.kind === 'write' && asked !== undefined) {
      opens.push(part.path);
      consent = stricterConsent(consent, { mode: 'ask', at: asked.at });
    }
    if (part.kind === 'command' && part.deletes?.length) consent = consentToDelete(layer, consent);
    if (part.kind === 'command' && !('effect' in commands)) {
      const bound = bindCommand(layer, tool, part, commands);
      obligations = obligations === tool.obligations ? bound : stricterObligations(obligations, bound);
    }
  }
  steps?.({
    check: 'allows',
    outcome: 'passed',
    policy: layer.name,
    detail: 'Everything asked for is allowed.',
    rule,
  });
  if (request.requests.some(({ kind }) => kind === 'command')) steps?.(sandboxStep(layer, obligations));
  return { effect: 'permit', rule, consent, obligations, ...(opens.length > 0 && { opens }) };
}

function allow(
  layer: PolicyLayer,
  tool: ToolRules,
  part: Exclude<CanonicalRequest, { kind: 'command' }>,
): Grant | Denial {
  if (part.kind !== 'host' && part.inOwnTmp) return { rule: tool.at, consents: [] };
  if (part.kind !== 'host') return checkAllowedPath(layer, tool, part.kind, part.path);
  const rule = findHostRule(tool.allowedHosts, part.host, part.port);
  if (rule !== undefined) return { rule: rule.at, consents: [] };
  return hostDenied(
    tool,
    part.host,
    `Nothing in allowed_hosts of ${tool.tool} matches ${part.host}.`,
    tool.at,
    true,
  );
}

function sandboxStep(
  { name: policy }: PolicyLayer,
  { sandbox, network, networkAt, hosts = [] }: Obligations,
): DecisionStep {
  const place = sandbox === undefined ? 'Runs without a sandbox' : `Runs in the sandbox ${sandbox.name}`;
  const reach = sandbox === undefined ? 'any (nothing holds it)' : reachInWords(network, hosts);
  const detail = `${place}; network: ${reach}.`;
  return { check: 'sandbox', outcome: 'passed', policy, detail, ...(networkAt && { rule: networkAt }) };
}
