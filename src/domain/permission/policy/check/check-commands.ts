import { wordText } from '../../../command/command-plan.js';
import type { ProgramFacts } from '../../../command/program-facts.js';
import { checkBuiltinPath, checkDeniedPath, type Grant } from '../../path/check-paths.js';
import { isInside } from '../../path/normal-path.js';
import { type Access, checkBound } from '../../path/path-bounds.js';
import { allowsAnyProgram, type CommandRule, namesPath } from '../command-rules.js';
import { type CanonicalRequest, type Denial, deny } from '../decision.js';
import { ruleAboutPrograms } from '../full-shell-terms.js';
import type { PolicyLayer, ToolRules } from '../policy-layer.js';
import { checkRedirect, isFree } from './check-redirect.js';

type CommandRequest = Extract<CanonicalRequest, { kind: 'command' }>;

interface FileUse {
  readonly access: Access;
  readonly path: string;
}

const named = new WeakMap<CommandRequest, readonly FileUse[]>();

/**
 * Every file that the command names, in redirections and in arguments we understand. Called several times per
 * decision.
 */
export function filesOf(request: CommandRequest): readonly FileUse[] {
  const known = named.get(request);
  if (known !== undefined) return known;
  const { home } = request;
  const uses = usesOf(request);
  const files = home === undefined ? uses : uses.filter(({ path }) => !isInside(path, home));
  named.set(request, files);
  return files;
}

function usesOf(request: CommandRequest): readonly FileUse[] {
  const files: FileUse[] = request.files.map(({ mode, path }) => ({ access: mode, path }));
  for (const { reads, writes } of request.programs) {
    for (const path of reads) files.push({ access: 'read', path });
    for (const path of writes) files.push({ access: 'write', path });
  }
  return files;
}

export function checkBuiltinCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
): Denial | undefined {
  return firstOf(filesOf(request), ({ access, path }) => {
    const denial = checkBuiltinPath(layer, tool, access, path);
    return denial && { ...denial, hint: `${shownPath(path, layer.workspace)}: ${denial.hint}` };
  });
}

/** The command line's own word for a path. */
function shownPath(path: string, workspace: string): string {
  return isInside(path, workspace) && path !== workspace ? path.slice(workspace.length + 1) : path;
}

export function checkDeniedCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
): Denial | undefined {
  const program = firstOf(request.programs, (call) => {
    const rule =
      tool.deniedCommands.matchingAnyName(call)[0] ?? layer.deniedCommands.matchingAnyName(call)[0];
    return rule && deniedProgram(call, rule);
  });
  if (program !== undefined) return program;
  const unseen = checkUnseen(layer, tool, request);
  if (unseen !== undefined) return unseen;
  return firstOf(filesOf(request), ({ access, path }) => checkDeniedPath(layer, tool, access, path));
}

/** If a policy denies programs or requires consent for them, each program must be known before it runs. */
function checkUnseen(layer: PolicyLayer, tool: ToolRules, request: CommandRequest): Denial | undefined {
  const [written] = request.unseen ?? [];
  if (written === undefined && !request.unread) return undefined;
  const rule = ruleAboutPrograms(layer, tool);
  if (rule === undefined) return undefined;
  const what =
    written === undefined
      ? 'A part of the command cannot be read before it runs'
      : `The program ${written} is known only when it runs`;
  const hint =
    written === undefined
      ? 'Check the quotes and the syntax, or run the parts in calls of their own.'
      : 'Write the name of the program out.';
  return deny(
    'SHELL_SYNTAX',
    { kind: 'program', text: written ?? tool.tool },
    `${what}, and the policy denies some programs or asks about them, so each must be seen beforehand.`,
    hint,
    rule.at,
  );
}

/** The words that the rule is about: `git push`, not git as a whole. */
function deniedWords({ program, args }: ProgramFacts, { tokens, any }: CommandRule): string {
  const given = args.map(wordText);
  const words = tokens.slice(1).map((alternatives) => {
    const found = alternatives.find((word) => given.includes(word));
    return found ?? alternatives.join('|');
  });
  const flags =
    any === undefined ? '' : ` with ${any.find((flag) => given.includes(flag)) ?? any.join(' or ')}`;
  return [program, ...words].join(' ') + flags;
}

function deniedProgram(call: ProgramFacts, rule: CommandRule): Denial {
  const through = call.via === undefined ? '' : ` through ${call.via}`;
  const words = deniedWords(call, rule);
  return deny(
    'DENIED_COMMAND',
    { kind: 'program', text: call.program },
    `${words}${through} is denied.`,
    `The policy denies ${words}${through}, and a deny wins over every allow. Do the work with the file tools or another program. Only the user can lift it, at the rule that castellan policy explain names.`,
    rule.at,
  );
}

/** Each program needs an allow, and each redirected file an allowed path. */
export function checkAllowedCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
): readonly CommandRule[] | Denial {
  const used: CommandRule[] = [];
  let anyProgram = true;
  for (const call of request.programs) {
    if (call.possible) continue;
    const rules = checkProgram(tool, call);
    if ('effect' in rules) return rules;
    used.push(...rules);
    anyProgram &&= rules.some(allowsAnyProgram);
  }
  used.push(...alsoConcerned(tool, request.programs, used));
  return checkCommandFiles(layer, tool, request, anyProgram) ?? used;
}

/** Checks the files in redirections and known arguments against the groups and the sandbox. */
export function checkCommandFiles(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
  anyProgram: boolean,
): Denial | undefined {
  const beyond = firstOf(filesOf(request), ({ access, path }) =>
    isFree(tool, access, path) ? undefined : checkBound(layer, access, path),
  );
  if (beyond !== undefined) return beyond;
  return firstOf(request.files, ({ mode, path }) =>
    request.home !== undefined && isInside(path, request.home)
      ? undefined
      : checkRedirect(tool, mode, path, anyProgram),
  );
}

/** Rules with consent or limits also apply if options precede the subcommand. They grant nothing. */
function alsoConcerned(
  tool: ToolRules,
  calls: readonly ProgramFacts[],
  used: readonly CommandRule[],
): readonly CommandRule[] {
  const found = calls.flatMap((call) => tool.allowedCommands.concerning(call));
  if (found.length === 0) return [];
  return [...new Set(found)]
    .filter((rule) => !used.includes(rule))
    .map(({ tokens, consent, sandbox, limits, at }) => ({
      tokens,
      ...(consent && { consent }),
      ...(sandbox !== undefined && { sandbox }),
      ...(limits && { limits }),
      at,
    }));
}

export function checkProgram(tool: ToolRules, call: ProgramFacts): readonly CommandRule[] | Denial {
  const rules = tool.allowedCommands.matching(call);
  const subject = { kind: 'program', text: call.program } as const;
  if (rules.length === 0) {
    return deny(
      'NO_ALLOW',
      subject,
      `Nothing in allowed_commands of ${tool.tool} matches ${call.program}.`,
      `The policy does not allow ${call.program} with these arguments. Use a program it allows, or a file tool.`,
      tool.at,
    );
  }
  // If every program is allowed on purpose, the sandbox contains them; options make no difference.
  if (rules.some(allowsAnyProgram)) return rules;
  const [rule] = rules;
  if (call.hazard !== undefined) {
    return deny(call.hazard.reason, subject, call.hazard.message, call.hazard.hint, rule?.at);
  }
  if (call.interpreter && !rules.some((candidate) => candidate.interpreter === true)) {
    return deny(
      'NO_ALLOW',
      subject,
      `${call.program} runs any code it is given; its rule must say interpreter: true.`,
      `${call.program} can run any code, and the policy does not say that it may.`,
      rule?.at,
    );
  }
  const runner = checkSubcommand(call, rules);
  if (runner !== undefined) return runner;
  if (call.location === 'untrusted' && !rules.some(namesPath)) {
    return deny(
      'NO_ALLOW',
      subject,
      `${call.resolvedPath ?? call.program} lies outside the system's and the toolchains' folders.`,
      `Only the system's own ${call.program.slice(call.program.lastIndexOf('/') + 1)} is allowed; write the bare name.`,
      rule?.at,
    );
  }
  return rules;
}

/**
 * A bare name does not allow subcommands that run any other program; a rule that names the subcommand does.
 */
function checkSubcommand(call: ProgramFacts, rules: readonly CommandRule[]): Denial | undefined {
  const { runsAt } = call;
  if (runsAt === undefined) return undefined;
  if (rules.some((rule) => rule.interpreter === true || rule.tokens.length > runsAt + 1)) return undefined;
  const [subcommand] = call.args.slice(runsAt).map(wordText);
  return deny(
    'NO_ALLOW',
    { kind: 'program', text: call.program },
    `${call.program} ${subcommand} runs any program; its rule must name the subcommand, or write interpreter: true.`,
    `${call.program} ${subcommand} can run any program, and the policy does not say that it may.`,
    rules[0]?.at,
  );
}

/** What the rules of a command add to the tool's own consent. */
export function grantOf(tool: ToolRules, rules: readonly CommandRule[]): Grant {
  return { rule: rules[0]?.at ?? tool.at, consents: rules.flatMap((rule) => rule.consent ?? []) };
}

function firstOf<T, R>(items: readonly T[], check: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
