import { wordText } from '../../command/command-plan.js';
import type { ProgramFacts } from '../../command/program-facts.js';
import { checkBuiltinPath, checkDeniedPath, type Grant } from '../path/check-paths.js';
import { isInside } from '../path/normal-path.js';
import { type Access, checkBound } from '../path/path-bounds.js';
import { isSystemFile } from '../path/system-folders.js';
import { allowsAnyProgram, type CommandRule, namesPath } from './command-rules.js';
import { type CanonicalRequest, type Denial, deny } from './decision.js';
import type { PolicyLayer, ToolRules } from './policy-layer.js';
import { pathEntry, suggestEntry } from './suggested-entry.js';

type CommandRequest = Extract<CanonicalRequest, { kind: 'command' }>;

interface FileUse {
  readonly access: Access;
  readonly path: string;
}

/** Every file that the command names, in redirections and in arguments we understand. */
function filesOf(request: CommandRequest): readonly FileUse[] {
  return [
    ...request.files.map(({ mode, path }) => ({ access: mode, path })),
    ...request.programs.flatMap((call) => [
      ...call.reads.map((path) => ({ access: 'read' as const, path })),
      ...call.writes.map((path) => ({ access: 'write' as const, path })),
    ]),
  ];
}

export function checkBuiltinCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
): Denial | undefined {
  return firstOf(filesOf(request), ({ access, path }) => checkBuiltinPath(layer, tool, access, path));
}

export function checkDeniedCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
): Denial | undefined {
  const program = firstOf(request.programs, (call) => {
    const [rule] = [
      ...tool.deniedCommands.matchingAnyName(call),
      ...layer.deniedCommands.matchingAnyName(call),
    ];
    return rule && deniedProgram(call, rule);
  });
  if (program !== undefined) return program;
  return firstOf(filesOf(request), ({ access, path }) => checkDeniedPath(layer, tool, access, path));
}

/** The program by its name, with its first word where that is a subcommand. */
function commandEntry({ tool }: ToolRules, { program, interpreter }: ProgramFacts): string | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (!PLAIN_WORD.test(name)) return undefined;
  const rule = interpreter ? `{ command: ${name}, interpreter: true }` : name;
  return `tools: { ${tool}: { allowed_commands: [${rule}] } }`;
}

const PLAIN_WORD = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;

function commandWords({ program, args }: ProgramFacts): string {
  const words = args.map((word) => (word.kind === 'literal' ? word.text : '*'));
  return JSON.stringify([program.slice(program.lastIndexOf('/') + 1), ...words.slice(0, 4)]);
}

function deniedProgram(call: ProgramFacts, rule: CommandRule): Denial {
  const through = call.via === undefined ? '' : ` through ${call.via}`;
  return deny(
    'DENIED_COMMAND',
    { kind: 'program', text: call.program },
    `${call.program}${through} is denied.`,
    `The policy denies ${call.program}${through}, and a deny wins over every allow. Do the work with the file tools or another program. An exception is \`except: [${commandWords(call)}]\` at the rule that denies it; castellan policy explain names it.`,
    rule.at,
  );
}

/** Each program needs an allow of its own, and each redirected file a place it may be. */
export function checkAllowedCommand(
  layer: PolicyLayer,
  tool: ToolRules,
  request: CommandRequest,
): readonly CommandRule[] | Denial {
  const used: CommandRule[] = [];
  const started = request.programs.filter((call) => !call.possible);
  for (const call of started) {
    const rules = checkProgram(tool, call);
    if ('effect' in rules) return rules;
    used.push(...rules);
  }
  used.push(...alsoConcerned(tool, request.programs, used));
  const anyProgram = started.every((call) => tool.allowedCommands.matching(call).some(allowsAnyProgram));
  const beyond = firstOf(filesOf(request), ({ access, path }) =>
    isFree(tool, access, path) ? undefined : checkBound(layer, access, path),
  );
  if (beyond !== undefined) return beyond;
  const file = firstOf(request.files, ({ mode, path }) =>
    checkRedirect(tool, mode, path, anyProgram, layer.workspace),
  );
  return file ?? used;
}

/** A rule that asks or limits does so however the options before its subcommand are arranged. It grants nothing. */
function alsoConcerned(
  tool: ToolRules,
  calls: readonly ProgramFacts[],
  used: readonly CommandRule[],
): readonly CommandRule[] {
  const found = new Set(calls.flatMap((call) => tool.allowedCommands.concerning(call)));
  return [...found]
    .filter((rule) => !used.includes(rule))
    .map(({ tokens, consent, sandbox, limits, at }) => ({
      tokens,
      ...(consent && { consent }),
      ...(sandbox !== undefined && { sandbox }),
      ...(limits && { limits }),
      at,
    }));
}

function checkProgram(tool: ToolRules, call: ProgramFacts): readonly CommandRule[] | Denial {
  const rules = tool.allowedCommands.matching(call);
  const subject = { kind: 'program', text: call.program } as const;
  if (rules.length === 0) {
    return deny(
      'NO_ALLOW',
      subject,
      `Nothing in allowed_commands of ${tool.tool} matches ${call.program}.`,
      `The policy does not allow ${call.program} with these arguments. Use a program it allows, or a file tool.${suggestEntry(commandEntry(tool, call))}`,
      tool.at,
    );
  }
  // Where every program is allowed on purpose, the sandbox contains them; options change nothing.
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
      `${call.program} can run any code, and the policy does not say that it may.${suggestEntry(commandEntry(tool, call))}`,
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

/** A bare name does not say that the program may run any other one; a rule that names the subcommand does. */
function checkSubcommand(call: ProgramFacts, rules: readonly CommandRule[]): Denial | undefined {
  const { runsAt } = call;
  if (runsAt === undefined) return undefined;
  if (rules.some((rule) => rule.interpreter === true || rule.tokens.length > runsAt + 1)) return undefined;
  const [subcommand] = call.args.slice(runsAt).map(wordText);
  return deny(
    'NO_ALLOW',
    { kind: 'program', text: call.program },
    `${call.program} ${subcommand} runs any program; its rule must name the subcommand, or say interpreter: true.`,
    `${call.program} ${subcommand} can run any program, and the policy does not say that it may.`,
    rules[0]?.at,
  );
}

const ALWAYS_THERE: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);

/** Every command has these, whatever its policy shows it of the disk. */
function isFree({ obligations: { sandbox } }: ToolRules, access: Access, path: string): boolean {
  if (ALWAYS_THERE.has(path)) return true;
  if (sandbox === undefined) return false;
  const shown = [...sandbox.read, ...sandbox.write].some((folder) => isInside(path, folder));
  if (isInside(path, '/tmp') && !shown) return true;
  return access === 'read' && isSystemFile(path);
}

/** In the workspace it is the sandbox that is too strict; elsewhere the path needs to be named. */
function redirectEntry(tool: ToolRules, path: string, workspace: string): string {
  return tool.obligations.sandbox !== undefined && isInside(path, workspace)
    ? `tools: { ${tool.tool}: { sandbox: workspace } }`
    : pathEntry(tool.tool, path, workspace);
}

function checkRedirect(
  tool: ToolRules,
  mode: Access,
  path: string,
  anyProgram: boolean,
  workspace: string,
): Denial | undefined {
  if (ALWAYS_THERE.has(path) || tool.allowedPaths.covers(path)) return undefined;
  const { sandbox } = tool.obligations;
  // Without a sandbox, a program that may read anything reads it by name too; writing is another matter.
  if (sandbox === undefined && (mode === 'read' || anyProgram)) return undefined;
  const { read, write } = sandbox ?? { read: [], write: [] };
  const places = mode === 'write' ? write : [...read, ...write];
  // A folder that is shown stays what it is, even where it lies in /tmp.
  const isShown = read.some((folder) => isInside(path, folder));
  const isPrivate = sandbox !== undefined && isInside(path, '/tmp') && !isShown;
  if (isPrivate || (mode === 'read' && isSystemFile(path))) return undefined;
  if (places.some((folder) => isInside(path, folder))) return undefined;
  return deny(
    'NO_ALLOW',
    { kind: 'path', text: path },
    sandbox === undefined
      ? `Nothing in allowed_paths of ${tool.tool} covers ${path}.`
      : `The sandbox ${sandbox.name} does not let commands ${mode} ${path}.`,
    mode === 'write'
      ? `Commands may not write there. Leave the redirection out, the output comes back anyway; or use write_file.${suggestEntry(redirectEntry(tool, path, workspace))}`
      : `Commands may not read there.${suggestEntry(redirectEntry(tool, path, workspace))}`,
    tool.at,
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
