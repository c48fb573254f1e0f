import { DecideCall } from '../../../application/permission/decide-call.js';
import type { CommandParser } from '../../../application/ports/command/command-parser.js';
import type { FileProblem } from '../../../domain/file-problem.js';
import { normalisePath } from '../../../domain/permission/path/normal-path.js';
import { PathRules } from '../../../domain/permission/path/path-rules.js';
import { CommandRules } from '../../../domain/permission/policy/command-rules.js';
import type { Decision } from '../../../domain/permission/policy/decision.js';
import { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import type { PermissionRequest } from '../../../domain/permission/policy/permission-request.js';
import { LOCAL_STDIO } from '../../../domain/session/caller.js';
import { compilePolicy } from '../compile/compile-policy.js';
import type { Expressions, PolicySurroundings } from '../compile/policy-compilation.js';
import { resolvePattern } from '../compile/resolve-pattern.js';
import type {
  CommandEntry,
  ExpectedEffect,
  Named,
  PathEntry,
  PolicyDocument,
  PolicyTest,
} from '../schema/policy-document.js';

export interface TestBench {
  readonly parser: CommandParser;
  /** What a tool would ask for with these arguments. */
  readonly requestsOf: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ) => readonly PermissionRequest[];
  /** The arguments that a tool takes; undefined of a tool that nobody knows here. */
  readonly argumentsOf?: (tool: string) => readonly string[] | undefined;
}

/** Nothing of the machine: the same answer on every one. */
const VIRTUAL: Omit<PolicySurroundings, 'tools'> = {
  workspace: '/workspace',
  home: '/home/user',
  never: [],
  neverWritten: [],
};

/** Runs `tests:`, `match` and `not_match` on the decision alone. Every failure is a problem of the file. */
export async function runPolicyTests(
  document: PolicyDocument,
  tools: PolicySurroundings['tools'],
  expressions: Expressions,
  bench: TestBench,
  problems: FileProblem[],
): Promise<void> {
  if (!hasTests(document)) return;
  if (hasCommandTests(document, bench)) await bench.parser.load();
  const layer = compilePolicy('tests', document, { ...VIRTUAL, tools }, expressions, []);
  const policy = new PermissionPolicy(layer);
  const decideCall = new DecideCall({ root: VIRTUAL.workspace }, bench.parser);
  for (const test of document.tests ?? []) {
    const decision = decideCall.decide(policy, {
      caller: LOCAL_STDIO,
      ...(test.roles && { roles: test.roles }),
      tool: test.tool,
      arguments: test.args,
      requests: bench.requestsOf(test.tool, test.args),
    });
    reportFailure(test, decision, problems);
  }
  for (const entry of Object.values(document.tools ?? {})) {
    for (const rule of [...(entry.allowed_paths ?? []), ...(entry.denied_paths ?? [])])
      checkPathExamples(rule, problems);
    for (const rule of entry.allowed_commands ?? []) {
      checkCommandExamples(rule, policy, decideCall, 'allow', problems);
    }
    for (const rule of entry.denied_commands ?? []) {
      checkCommandExamples(rule, policy, decideCall, 'deny', problems);
    }
  }
}

function hasTests({ tests, tools }: PolicyDocument): boolean {
  if (tests !== undefined && tests.length > 0) return true;
  return Object.values(tools ?? {}).some((entry) =>
    [entry.allowed_paths, entry.denied_paths, entry.allowed_commands, entry.denied_commands].some((rules) =>
      rules?.some((rule) => rule.match !== undefined || rule.not_match !== undefined),
    ),
  );
}

/** The parser is large; a policy whose tests are all about paths does not wait for it. */
function hasCommandTests({ tests, tools }: PolicyDocument, { requestsOf }: TestBench): boolean {
  const asked = (tests ?? []).flatMap(({ tool, args }) => requestsOf(tool, args));
  if (asked.some(({ kind }) => kind === 'run-command')) return true;
  return Object.values(tools ?? {}).some((entry) =>
    [...(entry.allowed_commands ?? []), ...(entry.denied_commands ?? [])].some(
      (rule) => rule.match !== undefined || rule.not_match !== undefined,
    ),
  );
}

function effectOf(decision: Decision): ExpectedEffect {
  return decision.effect === 'consent' ? decision.consent.mode : decision.effect;
}

function reportFailure(test: PolicyTest, decision: Decision, problems: FileProblem[]): void {
  const effect = effectOf(decision);
  const reason = decision.effect === 'allow' ? undefined : decision.reason;
  const reasonFits = test.reason === undefined || test.reason === reason;
  if (effect === test.expect && reasonFits) return;
  const wanted = test.reason === undefined ? test.expect : `${test.expect} (${test.reason})`;
  const got = reason === undefined ? effect : `${effect} (${reason})`;
  const detail = decision.effect === 'deny' ? ` ${decision.message}` : '';
  const { file, line, column } = test.at;
  problems.push({
    file,
    line,
    column,
    message: `The test ${JSON.stringify(test.name)} expects ${wanted}, the policy says ${got}.${detail}`,
    hint: 'Change the rules or the test.',
  });
}

function checkPathExamples(entry: PathEntry, problems: FileProblem[]): void {
  if (entry.match === undefined && entry.not_match === undefined) return;
  const compiled = PathRules.compile([
    {
      pattern: resolvePattern(entry.path, VIRTUAL),
      ...(entry.except && { except: entry.except.map((pattern) => resolvePattern(pattern, VIRTUAL)) }),
      at: entry.at,
    },
  ]);
  if (!compiled.success) return;
  checkExamples(entry, (path) => compiled.value.covers(normalisePath(path, VIRTUAL.workspace)), problems);
}

/** An allow matches a line when it matches every program of it and no option is hazardous; a deny, when it matches one. */
function checkCommandExamples(
  entry: CommandEntry,
  policy: PermissionPolicy,
  decideCall: DecideCall,
  effect: 'allow' | 'deny',
  problems: FileProblem[],
): void {
  if (entry.match === undefined && entry.not_match === undefined) return;
  const { command, except, any, at } = entry;
  const rules = new CommandRules(
    [{ tokens: command, ...(except && { except }), ...(any && { any }), at }],
    VIRTUAL.workspace,
  );
  const matches = (line: string): boolean => {
    const { requests } = decideCall.canonical(policy, {
      caller: LOCAL_STDIO,
      tool: 'execute_command',
      arguments: {},
      requests: [{ kind: 'run-command', command: line }],
    });
    const programs = requests.map((request) => (request.kind === 'command' ? request.programs : []));
    const started = programs.map((calls) => calls.filter((call) => !call.possible));
    if (effect === 'deny') return programs.flat().some((call) => rules.matchingAnyName(call).length > 0);
    return started.every(
      (calls) =>
        calls.length > 0 &&
        calls.every((call) => call.hazard === undefined && rules.matching(call).length > 0),
    );
  };
  checkExamples(entry, matches, problems);
}

function checkExamples(
  entry: { readonly match?: readonly Named[]; readonly not_match?: readonly Named[] },
  matches: (example: string) => boolean,
  problems: FileProblem[],
): void {
  const report = ({ at, name }: Named, verb: string): void => {
    const { file, line, column } = at;
    problems.push({
      file,
      line,
      column,
      message: `This rule ${verb} ${JSON.stringify(name)}.`,
      hint: 'Change one of them.',
    });
  };
  for (const example of entry.match ?? [])
    if (!matches(example.name)) report(example, 'must match, but does not match,');
  for (const example of entry.not_match ?? [])
    if (matches(example.name)) report(example, 'must not match, but matches,');
}
