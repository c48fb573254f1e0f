import type {
  ExplainPermissionQuery,
  PermissionExplanation,
} from '../../application/permission/explain-permission.js';
import type { DecisionStep } from '../../domain/permission/policy/decision.js';
import { formatPosition } from '../../domain/permission/policy/rule-position.js';
import { LOCAL_STDIO } from '../../domain/session/caller.js';
import { jsonArgumentProblem, parseJsonArgument } from './json-argument.js';
import { columns, type ExitCode, type Output } from './output.js';
import { unknownTool } from './unknown-tool.js';

type Explain = (query: ExplainPermissionQuery) => Promise<PermissionExplanation>;

/** `castellan policy explain TOOL JSON`: what would happen to a client's call on this machine, and why. */
export async function policyExplainCommand(
  explain: Explain,
  tool: string,
  json: string,
  options: { readonly json?: boolean; readonly workspace: string; readonly toolNames: readonly string[] },
  output: Output,
): Promise<ExitCode> {
  const args = parseJsonArgument(json);
  if (args === undefined) {
    output.err(jsonArgumentProblem(json));
    return 2;
  }
  const explanation = await explain({ caller: LOCAL_STDIO, tool, arguments: args });
  output.out(
    options.json === true
      ? JSON.stringify(explanation, undefined, 2)
      : inWords(relativeTo(options.workspace, explanation), output),
  );
  if (explanation.reason !== 'UNKNOWN_TOOL') return 0;
  output.err(unknownTool(tool, options.toolNames));
  return 1;
}

/** Shows paths inside the workspace relative to it. */
function relativeTo(workspace: string, explanation: PermissionExplanation): PermissionExplanation {
  const short = (text: string) => text.replaceAll(`${workspace}/`, '');
  const { rule, policy } = explanation;
  return {
    ...explanation,
    message: short(explanation.message),
    ...(rule !== undefined && { rule: short(rule) }),
    ...(policy && { policy: policy.map(short) }),
    steps: explanation.steps.map((step) => ({
      ...step,
      policy: short(step.policy),
      detail: short(step.detail),
      ...(step.rule && { rule: { ...step.rule, file: short(step.rule.file) } }),
    })),
  };
}

function inWords(
  { effect, reason, rule, id, why, message, policy, steps }: PermissionExplanation,
  output: Output,
): string {
  const facts = [
    ['decision', reason === undefined ? effect : `${effect} (${reason})`],
    ['because', message],
    ...(rule === undefined ? [] : [['rule', rule]]),
    ...(id === undefined ? [] : [['id', id]]),
    ...(why === undefined ? [] : [['why', why]]),
    ...(policy === undefined ? [] : [['policy', policy.join(', ')]]),
  ];
  const [decision = '', ...others] = columns(facts).split('\n');
  const verdict = output.paint(
    effect === 'deny' ? 'red' : effect === 'consent' ? 'yellow' : 'green',
    decision,
  );
  return [verdict, ...others, '', columns(steps.map(stepRow))].join('\n');
}

function stepRow({ check, outcome, policy, detail, rule }: DecisionStep): readonly string[] {
  return [check, outcome, detail, rule === undefined ? policy : formatPosition(rule)];
}
