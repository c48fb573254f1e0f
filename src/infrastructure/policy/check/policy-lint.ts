import { baseName } from '../../../domain/command/program-facts.js';
import { isInterpreter, runningSubcommands } from '../../../domain/command/programs/runners.js';
import { shellOnlyHint } from '../../../domain/command/shell-vocabulary.js';
import type { FileProblem } from '../../../domain/file-problem.js';
import { allowsAnyProgram, type CommandRule } from '../../../domain/permission/policy/command-rules.js';
import type { PolicyLayer, ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/policy/rule-position.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { NO_SANDBOX } from '../compile/merge-policies.js';
import type { PathBase } from '../compile/resolve-pattern.js';
import type { Named, PolicyDocument } from '../schema/policy-document.js';
import { GROUP_NAMES } from '../schema/tool-groups.js';
import { lintEnvironment } from './lint-environment.js';
import { lintReach } from './lint-reach.js';

type Report = (at: RulePosition, message: string, hint?: string) => void;

/** Rules that load, but grant more, or less, than their author probably meant. */
export function lintPolicy(
  document: PolicyDocument,
  layer: PolicyLayer,
  base: PathBase,
): readonly FileProblem[] {
  const found: FileProblem[] = [];
  const report: Report = ({ file, line, column }, message, hint) => {
    if (!file.startsWith('builtin:'))
      found.push({ file, line, column, message, ...(hint !== undefined && { hint }) });
  };
  for (const tool of layer.tools.values()) {
    lintName(tool, layer, report);
    lintPaths(tool, layer, base, report);
    lintCommands(tool, layer, report);
    lintDenyOnly(tool, report);
  }
  lintReach(document, layer, report);
  lintEnvironment(layer, report);
  lintSandboxes(document, report);
  lintReferences(document, layer, report);
  return found.sort((first, second) => first.line - second.line || first.column - second.column);
}

function lintName(tool: ToolRules, layer: PolicyLayer, report: Report): void {
  const normal = normaliseToolName(tool.tool);
  if (layer.knownTools.has(normal)) return;
  const others = [...layer.tools.values()].map((rules) => rules.tool).filter((name) => name !== tool.tool);
  const names = [...others, ...GROUP_NAMES];
  report(tool.at, `There is no tool ${tool.tool}.`, didYouMean(tool.tool, names));
}

function lintPaths(tool: ToolRules, layer: PolicyLayer, { home }: PathBase, report: Report): void {
  for (const { pattern, at } of tool.allowedPaths.rules) {
    if (pattern === '*' || pattern === '/') {
      report(at, `${tool.tool} may use every path of the machine.`, 'Name the directories it needs.');
    } else if (pattern === home || pattern === '/home' || pattern === '/root') {
      report(
        at,
        `${tool.tool} may use a whole home directory, with keys and histories.`,
        'Name the directories it needs.',
      );
    }
    if (/[*?[{]/.test(pattern)) continue;
    // Which files are the server's own depends on the machine, so this is no error.
    if (layer.builtin.never.covers(pattern)) {
      report(at, 'This is a file of the server, which no rule can allow.', 'Remove it.');
    }
    const reaching = tool.capabilities.includes('write') ? layer.unchangeablePaths : layer.hiddenPaths;
    const denied = tool.deniedPaths.find(pattern) ?? reaching.find(pattern);
    if (denied !== undefined) {
      report(
        at,
        `This rule never allows anything: line ${denied.at.line} denies the same.`,
        'Remove one of them.',
      );
    }
  }
}

function lintCommands(tool: ToolRules, layer: PolicyLayer, report: Report): void {
  const denied = deniedOutright([...tool.deniedCommands.rules, ...layer.deniedCommands.rules]);
  const isAnyAllowed = tool.allowedCommands.rules.some(allowsAnyProgram);
  for (const rule of tool.allowedCommands.rules) {
    if (allowsAnyProgram(rule)) {
      report(
        rule.at,
        `${tool.tool} may run any program.`,
        'Only the sandbox limits it; name programs to be stricter.',
      );
      continue;
    }
    const names = (rule.tokens[0] ?? []).map(baseName);
    // Beside a rule for every program it refuses nothing: it is about the network, a limit or a question.
    if (!isAnyAllowed) lintRunners(rule, names, report);
    const deny = denied.get('*') ?? denied.get(names[0] ?? '');
    if (deny !== undefined && names.every((name) => denied.has('*') || denied.has(name))) {
      report(
        rule.at,
        `This rule never allows anything: line ${deny.at.line} denies the program.`,
        'Remove one of them.',
      );
    }
  }
}

function lintRunners(rule: CommandRule, names: readonly string[], report: Report): void {
  const runner = names.find(isInterpreter);
  if (runner !== undefined && rule.interpreter !== true) {
    report(
      rule.at,
      `${runner} can run any code, so this rule does not allow it.`,
      'Write interpreter: true if you mean it.',
    );
    // With words after it, it runs what they name: `docker ps`, `python3 train.py`.
  } else if (runner !== undefined && rule.tokens.length === 1) {
    report(rule.at, `${runner} can run any code, inside the sandbox.`);
  }
  lintSubcommands(rule, names, report);
}

/** A bare name refuses the subcommands that run others, and says so too late. */
function lintSubcommands(rule: CommandRule, names: readonly string[], report: Report): void {
  if (rule.interpreter === true) return;
  for (const name of names) {
    const hint = shellOnlyHint(name);
    if (hint !== undefined || name === 'cd')
      report(
        rule.at,
        `${name} is a builtin of the shell: this rule has no effect.`,
        'Remove it; cd DIR && works without a rule.',
      );
    const running = rule.tokens.length > 1 ? [] : runningSubcommands(name);
    if (running.length === 0) continue;
    report(
      rule.at,
      `${name} ${running.join(', ')} can run any program, so this rule refuses ${running.length > 1 ? 'them' : 'it'}.`,
      `Name the subcommands you mean ({ command: [${name}, …] }), or write interpreter: true.`,
    );
  }
}

/** Programs that a deny without words and exceptions names. */
function deniedOutright(rules: readonly CommandRule[]): ReadonlyMap<string, CommandRule> {
  const whole = rules.filter((rule) => rule.except === undefined && rule.tokens.length === 1);
  return new Map(
    whole.flatMap((rule) => (rule.tokens[0] ?? []).map((word) => [baseName(word), rule] as const)),
  );
}

function lintDenyOnly(tool: ToolRules, report: Report): void {
  if (!tool.enabled) return;
  const { capabilities } = tool;
  const runs = capabilities.includes('command');
  const empty = runs ? tool.allowedCommands.isEmpty : capabilities.length > 0 && tool.allowedPaths.isEmpty;
  if (!empty) return;
  const list = runs ? 'allowed_commands' : 'allowed_paths';
  report(
    tool.at,
    `${tool.tool} has no ${list}, so it is always refused.`,
    `A deny-only list allows nothing; add ${list}, ["*"] for all.`,
  );
}

function lintSandboxes(document: PolicyDocument, report: Report): void {
  const entries = [document.defaults ?? {}, ...Object.values(document.tools ?? {})];
  for (const { sandbox } of entries) {
    for (const { name, at } of sandbox ?? []) {
      if (name === NO_SANDBOX)
        report(at, 'Commands run without a sandbox.', 'Only the rules above limit them.');
    }
  }
}

function lintReferences(document: PolicyDocument, layer: PolicyLayer, report: Report): void {
  const known = [...layer.tools.values()].map((rules) => rules.tool);
  const check = ({ name, at }: Named, where: string): void => {
    if (/[*?[{]/.test(name)) return;
    const normal = normaliseToolName(name);
    if (!layer.knownTools.has(normal) && !known.includes(name)) {
      report(at, `${where} names ${name}, which is not a tool.`, didYouMean(name, known));
    }
  };
  for (const tool of document.audit?.required_for ?? []) check(tool, 'audit.required_for');
  for (const [role, { tools, denied_tools: denied }] of Object.entries(document.roles ?? {})) {
    for (const tool of [...(tools ?? []), ...(denied ?? [])]) check(tool, `The role ${role}`);
  }
}
