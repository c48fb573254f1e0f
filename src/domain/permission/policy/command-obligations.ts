import type { HostTerms } from '../network/host-access.js';
import type { CommandRule } from './command-rules.js';
import type { CanonicalRequest } from './decision.js';
import {
  isStricter,
  type Network,
  type Obligations,
  smallestLimits,
  stricterNetwork,
  stricterSandbox,
} from './obligations.js';
import type { PolicyLayer, ToolRules } from './policy-layer.js';
import type { RulePosition } from './rule-position.js';

type CommandRequest = Extract<CanonicalRequest, { kind: 'command' }>;

/** Applies the rules of a command line to its tool's entry: limits and sandboxes can only become stricter. */
export function bindCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
  rules: readonly CommandRule[],
): Obligations {
  const { obligations } = tool;
  // Most rules are a bare word without settings.
  if (rules.every(isSilent)) return obligations;
  const sandbox = rules
    .map((rule) => (rule.sandbox === undefined ? undefined : layer.sandboxes.get(rule.sandbox)))
    .reduce(stricterSandbox, obligations.sandbox);
  const wanted = networkOfLine(tool, request);
  const network = stricterNetwork(wanted.network, sandbox?.network ?? 'full');
  return {
    ...obligations,
    limits: rules.reduce((limits, rule) => smallestLimits(limits, rule.limits ?? {}), obligations.limits),
    timeoutNamed: obligations.timeoutNamed || rules.every((rule) => rule.limits?.timeoutMs !== undefined),
    sandbox: sandbox && { ...sandbox, network },
    network,
    ...(network === wanted.network && { networkAt: wanted.at }),
    ...(obligations.hosts && { hosts: obligations.hosts.map((terms) => withNetwork(terms, network)) }),
  };
}

/** A file that gives a command the whole network keeps no list of hosts for it. */
function withNetwork(terms: HostTerms, network: Network): HostTerms {
  const open = network === 'full';
  return terms.open === open ? terms : { ...terms, open };
}

/** Which programs of a tool have the network, before a command is known. */
export type NetworkReach = 'none' | 'some' | 'hosts' | 'all';

const REACHES = ['none', 'some', 'hosts', 'all'] as const satisfies readonly NetworkReach[];

/** Under several policies, what all of them allow. */
export function networkReachOf(layers: readonly (ToolRules | undefined)[]): NetworkReach {
  const reaches = layers.map((rules) => REACHES.indexOf(rules === undefined ? 'none' : reachOf(rules)));
  return REACHES[Math.min(...reaches)] ?? 'none';
}

function reachOf({ obligations: { sandbox, network }, allowedCommands }: ToolRules): NetworkReach {
  if (sandbox === undefined || network === 'full') return 'all';
  if (network === 'hosts') return 'hosts';
  const isSome =
    sandbox.network !== 'none' &&
    allowedCommands.rules.some((rule) => rule.network !== undefined && rule.network !== 'none');
  return isSome ? 'some' : 'none';
}

function isSilent({ sandbox, network, limits }: CommandRule): boolean {
  return sandbox === undefined && network === undefined && limits === undefined;
}

interface NetworkWord {
  readonly network: Network;
  readonly at: RulePosition;
}

/**
 * A rule overrides its tool's entry, as the entry overrides the defaults. A command line has the network only
 * if every program has it: through a pipe the others would have it too.
 */
function networkOfLine(tool: ToolRules, { programs }: CommandRequest): NetworkWord {
  const { network, networkAt: at = tool.at } = tool.obligations;
  const started = programs.filter((call) => !call.possible);
  const words = started.map((call): NetworkWord => {
    const rules = tool.allowedCommands.matching(call);
    // A rule that removes the network applies wherever options stand before the subcommand.
    const all = [...rules, ...tool.allowedCommands.concerning(call)];
    const rule =
      all.find((candidate) => candidate.network === 'none') ??
      rules.find((candidate) => candidate.network === 'full') ??
      rules.find((candidate) => candidate.network === 'hosts') ??
      all.find((candidate) => candidate.network !== undefined && isStricter(candidate.network, network));
    return rule?.network === undefined ? { network, at } : { network: rule.network, at: rule.at };
  });
  const [first = { network, at }, ...rest] = words;
  return rest.reduce(
    (strictest, word) => (isStricter(word.network, strictest.network) ? word : strictest),
    first,
  );
}
