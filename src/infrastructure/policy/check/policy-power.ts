import { baseName } from '../../../domain/command/program-facts.js';
import { isInterpreter } from '../../../domain/command/programs/runners.js';
import { isInside } from '../../../domain/permission/path/normal-path.js';
import { allowsAnyProgram, type CommandRule } from '../../../domain/permission/policy/command-rules.js';
import { fitsFullShell, wholeProgramsOf } from '../../../domain/permission/policy/full-shell-terms.js';
import {
  type Network,
  stricterNetwork,
  stricterSandbox,
} from '../../../domain/permission/policy/obligations.js';
import type { PolicyLayer, ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import { formatPosition } from '../../../domain/permission/policy/rule-position.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import { codeSourceOf } from './code-source.js';

/** What the policy really grants, in words, the most powerful first. */
export function describePower(layer: PolicyLayer, workspace: string): readonly string[] {
  const tools = [...layer.tools.values()].filter((tool) => tool.enabled);
  const commands = tools.flatMap((tool) => describeCommands(tool, layer, workspace));
  const writers = describePaths(tools, 'write', 'change or delete', workspace);
  const readers = describePaths(tools, 'read', 'read', workspace);
  const named = tools.flatMap((tool) => [
    ...tool.namedSecrets.rules.map(
      (rule) => `${tool.tool} may use ${shown(rule.pattern, workspace)}, a secret it names.`,
    ),
    ...tool.namedProtected.rules.map(
      (rule) => `${tool.tool} may use ${shown(rule.pattern, workspace)}, a protected file it names.`,
    ),
  ]);
  const asked = tools
    .filter((tool) => tool.consent.mode !== 'never')
    .map((tool) => `${tool.tool} runs only after a person agreed (${tool.consent.mode}).`);
  if (
    tools.some(({ allowedCommands, tool }) => tool === 'execute_command' && allowedCommands.rules.length > 0)
  )
    commands.push(
      "may run the same commands by a client's own shell, outside of every sandbox, where `castellan hook` judges it",
    );
  return [...commands, ...named, ...writers, ...readers, ...tools.flatMap(describeModels), ...asked];
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

function describePaths(
  tools: readonly ToolRules[],
  power: 'read' | 'write',
  verb: string,
  workspace: string,
): readonly string[] {
  const byPlace = new Map<string, string[]>();
  for (const tool of tools) {
    if (!tool.capabilities.includes(power) || tool.allowedPaths.isEmpty) continue;
    const places = tool.allowedPaths.rules.map((rule) => shown(rule.pattern, workspace)).join(', ');
    byPlace.set(places, [...(byPlace.get(places) ?? []), tool.tool]);
  }
  return [...byPlace].map(([places, names]) => `may ${verb} ${places} (${names.join(', ')})`);
}

function shown(pattern: string, workspace: string): string {
  if (pattern === '*') return 'every path of the machine';
  if (pattern === workspace) return 'the whole workspace';
  return isInside(pattern, workspace) ? `.${pattern.slice(workspace.length)}` : pattern;
}

function describeCommands(tool: ToolRules, layer: PolicyLayer, workspace: string): readonly string[] {
  const { rules } = tool.allowedCommands;
  const any = rules.some(allowsAnyProgram);
  const lines: string[] = [];
  const everything = rules.find(allowsAnyProgram);
  const denied = [...new Set([...tool.deniedCommands.rules, ...layer.deniedCommands.rules].map(wordsOf))];
  const full = tool.shell === 'full' && fitsFullShell(tool);
  if (everything !== undefined && denied.length > 0) {
    const place = placeOf(tool, layer, workspace, everything);
    const where = full ? 'shows it, in loops, substitutions, sh -c and here-documents too' : 'shows it';
    const gone = full ? wholeProgramsOf(tool, layer) : [];
    const covered =
      gone.length === 0 ? '' : ` (the files of ${gone.join(', ')} cannot be opened in the sandbox)`;
    lines.push(
      `is refused ${denied.join('; ')} where a command line ${where}${covered}; a script or another program may still do the same ${place}`,
    );
  }
  if (tool.gitMayRestore && rules.length > 0)
    lines.push(
      'may let git bring protected files to a content that the repository had before the server started (git_may_restore)',
    );
  const harmless = new Map<string, CommandRule[]>();
  for (const rule of rules) {
    const place = placeOf(tool, layer, workspace, rule);
    const line = describeRule(rule, layer, workspace, place);
    if (allowsAnyProgram(rule))
      lines.push(
        `may run any code ${place}: ${tool.tool} allows every program${full ? ' and any text of bash (shell: full)' : ''}`,
      );
    // Beside a rule for every program, only what another rule adds is worth a line.
    else if (any && networkOf(tool, rule) === tool.obligations.network) continue;
    else if (line !== undefined) lines.push(line);
    else harmless.set(place, [...(harmless.get(place) ?? []), rule]);
  }
  for (const [place, group] of harmless) {
    lines.push(
      `may run ${group.map(wordsOf).join('; ')} ${place}, with the options we know to be harmless where we know the program`,
    );
  }
  return lines;
}

function networkOf({ obligations }: ToolRules, rule: CommandRule): Network {
  return stricterNetwork(rule.network ?? obligations.network, obligations.sandbox?.network ?? 'full');
}

function placeOf(tool: ToolRules, layer: PolicyLayer, workspace: string, rule: CommandRule): string {
  const own = rule.sandbox === undefined ? undefined : layer.sandboxes.get(rule.sandbox);
  const sandbox = stricterSandbox(tool.obligations.sandbox, own);
  if (sandbox === undefined) return 'without a sandbox, with everything the server’s own user may do';
  const writes = sandbox.write.map((path) => shown(path, workspace)).join(', ') || 'nothing';
  const by = rule.network === undefined ? '' : ` by ${formatPosition(rule.at)}`;
  const network = `${stricterNetwork(networkOf(tool, rule), sandbox.network)}${by}`;
  const calls = sandbox.seccomp === 'none' ? '; system calls: not filtered' : '';
  return `inside the sandbox ${sandbox.name} (writes: ${writes}; network: ${network}${calls})`;
}

function describeRule(
  rule: CommandRule,
  layer: PolicyLayer,
  workspace: string,
  place: string,
): string | undefined {
  const names = (rule.tokens[0] ?? []).map(baseName);
  const runner = names.find(isInterpreter);
  if (runner !== undefined) {
    return rule.interpreter === true
      ? `may run any code ${place}: ${runner} runs what it is given`
      : undefined;
  }
  const builder = names.find((name) => codeSourceOf(name) !== undefined);
  const source = builder === undefined ? undefined : codeSourceOf(builder);
  if (source === undefined) return undefined;
  const changer = changerOf(layer, source, workspace);
  return `may run any code ${place}: ${wordsOf(rule)} executes ${source}${changer === undefined ? '' : `, which ${changer} may change`}`;
}

function changerOf(layer: PolicyLayer, source: string, workspace: string): string | undefined {
  const names = ['write_file', 'edit_file', 'move_path', 'copy_path'];
  return names.find((name) => {
    const tool = layer.tools.get(normaliseToolName(name));
    const path = `${workspace}/${source}`;
    return tool?.enabled === true && tool.allowedPaths.covers(path) && !tool.deniedPaths.covers(path);
  });
}

function wordsOf(rule: CommandRule): string {
  const flags = rule.any === undefined ? '' : ` with ${rule.any.join(' or ')}`;
  return rule.tokens.map((words) => words.join('|')).join(' ') + flags;
}
