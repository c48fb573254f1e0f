import { ASKING_MODES } from '../../../../domain/permission/consent/consent.js';
import { isInside } from '../../../../domain/permission/path/normal-path.js';
import type { Access } from '../../../../domain/permission/path/path-bounds.js';
import type { PathRule } from '../../../../domain/permission/path/path-rules.js';
import { SECRET_PATHS } from '../../../../domain/permission/path/sensitive-paths.js';
import type { PolicyLayer, ToolRules } from '../../../../domain/permission/policy/policy-layer.js';
import { examplePaths } from './example-path.js';
import type { Answered, PowerQuestions } from './power-questions.js';

/** A tool that reads what it changes is bound by the rules for both. */
function verbOf(accesses: readonly Access[]): string {
  return (['read', 'write'] as const)
    .filter((access) => accesses.includes(access))
    .map((access) => (access === 'read' ? 'read' : 'change'))
    .join(' and ');
}

const MILDEST_FIRST = ['allow', ...ASKING_MODES] as const satisfies readonly Answered[];

const GUARDED = 'reads no secret and changes no protected file that no line here names';

const ASKS_PROTECTED =
  'asks a person first (ask) to change a protected file, by its name; git’s own and .castellan never';

interface Place {
  readonly rule: PathRule;
  readonly answer: Exclude<Answered, 'deny'>;
}

/** What tools may read and change, and when they ask; tools that may do the same share a sentence. */
export function describePaths(
  tools: readonly ToolRules[],
  layer: PolicyLayer,
  questions: PowerQuestions,
): readonly string[] {
  const sentences = new Map<string, string[]>();
  for (const tool of tools) {
    for (const accesses of usesOf(tool, questions)) {
      for (const text of describeTool(tool, accesses, layer, questions)) {
        const names = sentences.get(text) ?? [];
        if (!names.includes(tool.tool)) sentences.set(text, [...names, tool.tool]);
      }
    }
  }
  const lines = [...sentences].map(([text, names]) => `${text} [${names.join(', ')}]`);
  return lines.length === 0 ? [] : [...lines, GUARDED];
}

function usesOf(
  { tool, capabilities, allowedPaths }: ToolRules,
  questions: PowerQuestions,
): readonly (readonly Access[])[] {
  if (capabilities.includes('command')) return [];
  const uses = questions.usesOf(tool);
  // Documents are written in folders that the settings name.
  return uses.length === 0 && !allowedPaths.isEmpty ? [['write']] : uses;
}

function describeTool(
  tool: ToolRules,
  accesses: readonly Access[],
  layer: PolicyLayer,
  questions: PowerQuestions,
): readonly string[] {
  const places = placesOf(tool, accesses, layer, questions);
  if (places.length === 0) return [];
  const show = (rules: readonly PathRule[]): string =>
    rules.map((rule) => shown(rule, layer.workspace)).join(', ');
  const verb = verbOf(accesses);
  const never = new Set([
    ...tool.deniedPaths.rules,
    ...(accesses.includes('read') ? layer.hiddenPaths.rules : []),
    ...(accesses.includes('write') ? layer.unchangeablePaths.rules : []),
  ]);
  const asking = ASKING_MODES.flatMap((mode) => {
    const rules = places.filter(({ answer }) => answer === mode).map(({ rule }) => rule);
    return rules.length === 0 ? [] : [`asks a person first (${mode}) to ${verb} ${show(rules)}`];
  });
  return [
    [
      `may ${verb} ${show(places.map(({ rule }) => rule))}`,
      ...boundsOf(layer, accesses).map((rules) => `only inside ${show(rules)}`),
      ...(never.size === 0 ? [] : [`never ${show([...never])}`]),
    ].join('; '),
    ...asking,
    ...describeNamed(tool, accesses, places, show),
    ...(tool.asksProtected && accesses.includes('write') ? [ASKS_PROTECTED] : []),
  ];
}

/** What the groups and denies leave of the files that a command line names, in arguments and redirections. */
export function describeNamedFiles(tool: ToolRules, layer: PolicyLayer): readonly string[] {
  const show = (rules: readonly PathRule[]): string =>
    rules.map((rule) => shown(rule, layer.workspace)).join(', ');
  return (['read', 'write'] as const).flatMap((access) => {
    const reaching = access === 'read' ? layer.hiddenPaths : layer.unchangeablePaths;
    const never = [...new Set([...tool.deniedPaths.rules, ...reaching.rules])];
    const parts = [
      ...boundsOf(layer, [access]).map((rules) => `only inside ${show(rules)}`),
      ...(never.length === 0 ? [] : [`never ${show(never)}`]),
    ];
    return parts.length === 0 ? [] : [`names files to ${verbOf([access])} in commands: ${parts.join('; ')}`];
  });
}

/** The folders of files.read and files.write that bind these accesses. */
function boundsOf(layer: PolicyLayer, accesses: readonly Access[]): readonly (readonly PathRule[])[] {
  return accesses.flatMap((access) => {
    const rules = layer.bounds[access]?.paths.rules;
    return rules === undefined ? [] : [rules];
  });
}

/** Secrets and protected files that an entry names, so that they are open. */
function describeNamed(
  { namedSecrets, namedProtected }: ToolRules,
  accesses: readonly Access[],
  places: readonly Place[],
  show: (rules: readonly PathRule[]) => string,
): readonly string[] {
  return accesses.flatMap((access) => {
    const { rules } = access === 'read' ? namedSecrets : namedProtected;
    const named = rules.filter((rule) => places.some((place) => place.rule.pattern === rule.pattern));
    if (named.length === 0) return [];
    const [verb, kind] = access === 'read' ? ['read', 'a secret'] : ['change', 'a protected file'];
    return [`may ${verb} ${show(named)}, ${kind} that the policy names`];
  });
}

/** The allowed rules of which the policy grants something: it is asked about an example of each. */
function placesOf(
  tool: ToolRules,
  accesses: readonly Access[],
  layer: PolicyLayer,
  questions: PowerQuestions,
): readonly Place[] {
  const others = [...boundsOf(layer, accesses).flat(), ...holesOf(tool, layer)];
  return tool.allowedPaths.rules.flatMap((rule): Place[] => {
    const answers = examplePaths(rule, others, layer.workspace).map((path) =>
      questions.path(tool.tool, accesses, path),
    );
    // Where another rule asks as well, the sentence about that rule says so.
    const answer = MILDEST_FIRST.find((mode) => answers.includes(mode));
    return answer === undefined ? [] : [{ rule, answer }];
  });
}

/** What denies leave open. */
function holesOf(
  { deniedPaths }: ToolRules,
  { hiddenPaths, unchangeablePaths }: PolicyLayer,
): readonly PathRule[] {
  return [deniedPaths, hiddenPaths, unchangeablePaths]
    .flatMap(({ rules }) => rules)
    .flatMap(({ except = [], at }) => except.map((pattern) => ({ pattern, at })));
}

const SECRETS = JSON.stringify(SECRET_PATHS.map(({ pattern }) => pattern));

export function shown(
  { pattern, except = [] }: Pick<PathRule, 'pattern' | 'except'>,
  workspace: string,
): string {
  const place = shownPath(pattern, workspace);
  if (except.length === 0) return place;
  if (JSON.stringify(except) === SECRETS) return `${place} (without secrets)`;
  return `${place} (but not ${except.map((path) => shownPath(path, workspace)).join(' and ')})`;
}

export function shownPath(pattern: string, workspace: string): string {
  if (pattern === '*') return 'every path of the machine';
  if (pattern === workspace) return 'the whole workspace';
  return isInside(pattern, workspace) ? `.${pattern.slice(workspace.length)}` : pattern;
}
