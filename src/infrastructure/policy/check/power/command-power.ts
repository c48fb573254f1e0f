import { baseName } from '../../../../domain/command/program-facts.js';
import { isInterpreter } from '../../../../domain/command/programs/runners.js';
import { ASKING_MODES } from '../../../../domain/permission/consent/consent.js';
import { reachInWords } from '../../../../domain/permission/network/host-access.js';
import { allowsAnyProgram, type CommandRule } from '../../../../domain/permission/policy/command-rules.js';
import type { Decision } from '../../../../domain/permission/policy/decision.js';
import { wholeProgramsOf } from '../../../../domain/permission/policy/full-shell-terms.js';
import type { Obligations, SystemCallFilter } from '../../../../domain/permission/policy/obligations.js';
import type { PermissionPolicy } from '../../../../domain/permission/policy/permission-policy.js';
import type { PolicyLayer, ToolRules } from '../../../../domain/permission/policy/policy-layer.js';
import { formatPosition } from '../../../../domain/permission/policy/rule-position.js';
import { codeSourceOf } from '../code-source.js';
import { describeNamedFiles, shownPath } from './path-power.js';
import { answerOf, type PowerQuestions } from './power-questions.js';

const BY_A_HOOK =
  "may run the same commands by a client's own shell, outside of every sandbox, where `castellan hook` judges it";

type Granted = Exclude<Decision, { effect: 'deny' }>;

interface GrantedRule {
  readonly rule: CommandRule;
  readonly decision: Granted;
}

interface CommandSubject {
  readonly tool: ToolRules;
  readonly layer: PolicyLayer;
  readonly policy: PermissionPolicy;
  readonly questions: PowerQuestions;
}

/** What commands may do: the rules that the policy really grants, asked with an example of each. */
export function describeCommands(subject: CommandSubject): readonly string[] {
  const { tool, layer, policy, questions } = subject;
  const exceptions = [...tool.deniedCommands.rules, ...layer.deniedCommands.rules].flatMap(
    ({ except = [] }) => except,
  );
  const granted = tool.allowedCommands.rules.flatMap((rule): GrantedRule[] => {
    for (const words of examplesOf(rule, exceptions)) {
      const decision = questions.command(tool.tool, words);
      if (decision.effect !== 'deny') return [{ rule, decision }];
    }
    return [];
  });
  if (granted.length === 0) return [];
  const everything = granted.find(({ rule }) => allowsAnyProgram(rule));
  return [
    ...describeDenied(subject, everything),
    ...(policy.gitMayRestore(tool.tool)
      ? [
          'may let git bring protected files to a content that the repository had before the server started (git_may_restore)',
        ]
      : []),
    ...describeGranted(subject, granted, everything),
    ...describeQuestions(granted),
    ...describeNamedFiles(tool, layer),
    ...(tool.tool === 'execute_command' ? [BY_A_HOOK] : []),
  ];
}

/** Calls that the rule is about: one for each of its alternatives, and those that a deny leaves open. */
function examplesOf(
  { tokens, any }: CommandRule,
  exceptions: readonly CommandRule['tokens'][],
): readonly (readonly string[])[] {
  const fits = exceptions.filter((words) =>
    tokens.every((some, index) => some.includes(ANY) || words[index]?.some((word) => some.includes(word))),
  );
  const lines = [tokens, ...fits].flatMap((words) => combinations(words));
  if (any === undefined) return lines;
  // Some programs take a flag only behind a subcommand, and git none that it does not know.
  return lines.flatMap((words) =>
    any.flatMap((flag) => [[...words, flag], ...SUBCOMMANDS.map((word) => [...words, word, flag])]),
  );
}

function combinations(tokens: CommandRule['tokens']): readonly (readonly string[])[] {
  return tokens.reduce<readonly (readonly string[])[]>(
    (lines, some) =>
      lines
        .flatMap((words) => some.map((word) => [...words, word === ANY ? PROBE : word]))
        .slice(0, MOST_EXAMPLES),
    [[]],
  );
}

const MOST_EXAMPLES = 64;
const SUBCOMMANDS = ['push', 'commit', 'run', 'install'];
const ANY = '*';
const PROBE = 'qz7probe';

function describeDenied(
  { tool, layer, policy }: CommandSubject,
  everything: GrantedRule | undefined,
): readonly string[] {
  const rules = [...new Set([...tool.deniedCommands.rules, ...layer.deniedCommands.rules])];
  const denied = [...new Set(rules.map(wordsOf))].join('; ');
  if (denied === '') return [];
  if (everything === undefined) return [`never runs ${denied}`];
  const full = policy.shellModeOf(tool.tool) === 'full';
  const where = full ? 'shows it, in loops, substitutions, sh -c and here-documents too' : 'shows it';
  const gone = full ? wholeProgramsOf(tool, layer) : [];
  const covered =
    gone.length === 0 ? '' : ` (the files of ${gone.join(', ')} cannot be opened in the sandbox)`;
  const place = placeOf(everything, layer.workspace);
  return [
    `never runs ${denied} where a command line ${where}${covered}; a script or another program may still do the same ${place}`,
  ];
}

function describeGranted(
  subject: CommandSubject,
  granted: readonly GrantedRule[],
  everything: GrantedRule | undefined,
): readonly string[] {
  const { tool, layer, policy } = subject;
  const lines: string[] = [];
  const harmless = new Map<string, CommandRule[]>();
  for (const one of granted) {
    const place = placeOf(one, layer.workspace);
    const full = policy.shellModeOf(tool.tool) === 'full' ? ' and any text of bash (shell: full)' : '';
    if (allowsAnyProgram(one.rule))
      lines.push(`may run any code ${place}: ${tool.tool} allows every program${full}`);
    // Beside a rule for every program, only what another rule adds is worth a line.
    else if (everything !== undefined && networkOf(one) === networkOf(everything)) continue;
    else {
      const source = codeRunBy(one.rule, subject);
      if (source !== undefined) lines.push(`may run any code ${place}: ${source}`);
      else harmless.set(place, [...(harmless.get(place) ?? []), one.rule]);
    }
  }
  for (const [place, rules] of harmless) {
    lines.push(
      `may run ${rules.map(wordsOf).join('; ')} ${place}, with the options we know to be harmless where we know the program`,
    );
  }
  return lines;
}

function describeQuestions(granted: readonly GrantedRule[]): readonly string[] {
  return ASKING_MODES.flatMap((mode) => {
    const asking = granted.filter(({ decision }) => answerOf(decision) === mode);
    if (asking.length === 0) return [];
    const words = asking.map(({ rule }) => (allowsAnyProgram(rule) ? 'every command' : wordsOf(rule)));
    return [`asks a person first (${mode}) before ${words.join('; ')}`];
  });
}

function networkOf({ decision }: GrantedRule): Obligations['network'] {
  return decision.obligations.network;
}

const FILTERS: Readonly<Record<SystemCallFilter, string>> = {
  default: '',
  unix_sockets: '; unix sockets: allowed',
  none: '; system calls: not filtered',
};

function placeOf({ rule, decision: { obligations } }: GrantedRule, workspace: string): string {
  const { sandbox, network, hosts = [] } = obligations;
  if (sandbox === undefined) return 'without a sandbox, with everything the server’s own user may do';
  const writes = sandbox.write.map((path) => shownPath(path, workspace)).join(', ') || 'nothing';
  const by = rule.network === undefined ? '' : ` by ${formatPosition(rule.at)}`;
  const calls = FILTERS[sandbox.seccomp];
  return `inside the sandbox ${sandbox.name} (writes: ${writes}; network: ${reachInWords(network, hosts)}${by}${calls})`;
}

/** Why the rule is as good as any code, if it is. */
function codeRunBy(rule: CommandRule, { layer, questions }: CommandSubject): string | undefined {
  const names = (rule.tokens[0] ?? []).map(baseName);
  const runner = names.find(isInterpreter);
  if (runner !== undefined && rule.tokens.length === 1) return `${runner} runs what it is given`;
  const source = names.flatMap((name) => codeSourceOf(name) ?? [])[0];
  if (source === undefined) return undefined;
  const path = `${layer.workspace}/${source}`;
  const changer = ['write_file', 'edit_file', 'move_path', 'copy_path'].find(
    (name) => questions.path(name, ['write'], path) !== 'deny',
  );
  return `${wordsOf(rule)} executes ${source}${changer === undefined ? '' : `, which ${changer} may change`}`;
}

function wordsOf(rule: CommandRule): string {
  const flags = rule.any === undefined ? '' : ` with ${rule.any.join(' or ')}`;
  const words = rule.tokens.map((alternatives) => alternatives.join('|')).join(' ') + flags;
  const except = (rule.except ?? []).map((tokens) => tokens.map((some) => some.join('|')).join(' '));
  return except.length === 0 ? words : `${words} (but not ${except.join(' and ')})`;
}
