import type { DecideCall } from '../../../../application/permission/decide-call.js';
import { ASKING_MODES } from '../../../../domain/permission/consent/consent.js';
import type { PermissionPolicy } from '../../../../domain/permission/policy/permission-policy.js';
import type { PolicyLayer, ToolRules } from '../../../../domain/permission/policy/policy-layer.js';
import { DEFAULT_ROLE } from '../../../../domain/permission/policy/policy-roles.js';
import { normaliseToolName } from '../../../../domain/tool/tool-name.js';
import type { TestBench } from '../policy-tests.js';
import { describeCommands } from './command-power.js';
import { describePaths } from './path-power.js';
import { PowerQuestions } from './power-questions.js';

export interface PowerSubject {
  /** The policy that is asked: the file's own, under what narrows it. */
  readonly policy: PermissionPolicy;
  /** The file's own part, which names the places and programs to ask about. */
  readonly layer: PolicyLayer;
  readonly decideCall: DecideCall;
  readonly requestsOf: TestBench['requestsOf'];
}

/**
 * What the policy really grants, in words, the most powerful first: one statement for each role, if there are roles.
 * The rules say what to ask about; whether a sentence is there is the answer of the same decision that calls get.
 */
export function describePower(subject: PowerSubject): readonly string[] {
  const { layer } = subject;
  if (layer.roles.size === 0) return describeRole(subject, DEFAULT_ROLE);
  const names = new Set([...layer.roles.keys(), ...heldRoles(layer)]);
  return [...names].flatMap((role) => {
    const lines = describeRole(subject, role);
    return (lines.length === 0 ? ['may do nothing'] : lines).map((line) => `as ${role}: ${line}`);
  });
}

/** Without `principals`, every caller has the default role. */
function heldRoles({ principals }: PolicyLayer): readonly string[] {
  return principals === undefined ? [DEFAULT_ROLE] : principals.flatMap(({ roles }) => roles);
}

function describeRole(subject: PowerSubject, role: string): readonly string[] {
  const { policy, layer, decideCall, requestsOf } = subject;
  const questions = new PowerQuestions(policy, decideCall, requestsOf, role);
  const tools = [...layer.tools.values()].filter((tool) => tool.enabled && questions.has(tool.tool));
  const runners = tools.filter(({ capabilities }) => capabilities.includes('command'));
  const commands = runners.flatMap((tool) => describeCommands({ tool, layer, policy, questions }));
  const paths = describePaths(tools, layer, questions);
  return [
    ...commands,
    ...paths,
    ...tools.flatMap(describeModels),
    ...describeCalls(tools, questions),
    ...describeConstraints(tools),
  ];
}

/** Tools that need nothing but their entry. */
function describeCalls(tools: readonly ToolRules[], questions: PowerQuestions): readonly string[] {
  const plain = tools
    .filter(({ capabilities, allowedPaths }) => capabilities.length === 0 && allowedPaths.isEmpty)
    .map(({ tool }) => ({ tool, answer: questions.call(tool) }));
  const namesOf = (wanted: string): string =>
    plain.flatMap(({ tool, answer }) => (answer === wanted ? [tool] : [])).join(', ');
  const free = namesOf('allow');
  return [
    ...(free === '' ? [] : [`may call ${free}`]),
    ...ASKING_MODES.flatMap((mode) => {
      const names = namesOf(mode);
      return names === '' ? [] : [`asks a person first (${mode}) to call ${names}`];
    }),
  ];
}

function describeConstraints(tools: readonly ToolRules[]): readonly string[] {
  return tools
    .filter((tool) => tool.arguments.size > 0)
    .map((tool) => `${tool.tool} only with arguments that keep to: ${[...tool.arguments.keys()].join(', ')}`);
}

function describeModels({ tool, allowedModels, obligations }: ToolRules): readonly string[] {
  if (normaliseToolName(tool) !== normaliseToolName('claude_conversation')) return [];
  const models = allowedModels === undefined ? 'any model' : `the models ${allowedModels.names.join(', ')}`;
  const bounds = (obligations.tokens ?? []).map(
    ({ limit, windowMs }) => `${limit} tokens in ${windowMs / 1000}s`,
  );
  const cost = bounds.length === 0 ? 'without a limit of tokens' : `for at most ${bounds.join(' and ')}`;
  return [`may ask ${models} (${tool}), ${cost}`];
}
