import type { CommandPlan, CommandWord, ProgramCall } from '../../domain/command/command-plan.js';
import type { ProgramFacts } from '../../domain/command/program-facts.js';
import { checkCall } from '../../domain/command/programs/program-options.js';
import { pathsOf } from '../../domain/command/programs/program-paths.js';
import { isInterpreter, runningSubcommandAt } from '../../domain/command/programs/runners.js';
import type { ShellMode } from '../../domain/command/shell-mode.js';
import { shellOnlyHint } from '../../domain/command/shell-vocabulary.js';
import { ADRIFT } from '../../domain/command/working-directory.js';
import { programName } from '../../domain/command/wrapper.js';
import { wideDeletions } from '../../domain/permission/consent/wide-deletion.js';
import {
  type NamedFolder,
  normalisePath,
  pathInWorkspace,
} from '../../domain/permission/path/normal-path.js';
import { holdsSystemPrograms } from '../../domain/permission/path/system-folders.js';
import type { CanonicalRequest, RefusedRequest } from '../../domain/permission/policy/decision.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { CommandParser } from '../ports/command/command-parser.js';
import type { LocatedProgram } from '../ports/command/program-locator.js';

/** The context in which a command is parsed. */
export interface CommandSurroundings {
  readonly workspace: string;
  /** Another name of the workspace, through a link. */
  readonly named?: string | undefined;
  readonly shell: ShellMode;
  readonly parser: CommandParser;
  /** Every program is allowed on purpose, including shells. */
  readonly anyProgram: boolean;
  /** undefined if the disk must not be accessed, as in a policy's own tests. */
  readonly locate?: (program: string, directory: string) => LocatedProgram | undefined;
}

const AS_SCRIPT =
  "or run the lines as they are in a script: bash <<'EOF', the lines, EOF on a line of its own";
const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/** Converts a request to the form the policy decides on; refused if it cannot be converted. */
export function canonicalRequest(
  request: Exclude<PermissionRequest, CommandRequest>,
  workspace: NamedFolder,
): CanonicalRequest | RefusedRequest {
  switch (request.kind) {
    case 'read-path':
    case 'write-path':
      return canonicalPath(request, workspace);
    case 'reach-host':
      return canonicalHost(request);
  }
}

function unparseable(message: string, hint: string): RefusedRequest {
  return { kind: 'refused', reason: 'UNPARSEABLE', message, hint };
}

/** Why a text cannot be a path; undefined if it can. */
function problemOfPath(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'contains a NUL character';
  if (!path.isWellFormed()) return 'is not valid Unicode';
  // No character takes more than three bytes per UTF-16 unit, so most paths need no encoding.
  if (path.length * 3 <= MAX_NAME_BYTES) return undefined;
  const encoder = new TextEncoder();
  if (encoder.encode(path).length > MAX_PATH_BYTES) return `is longer than ${MAX_PATH_BYTES} bytes`;
  const long = path.split('/').some((name) => encoder.encode(name).length > MAX_NAME_BYTES);
  return long ? `has a name of more than ${MAX_NAME_BYTES} bytes` : undefined;
}

type PathRequest = Extract<PermissionRequest, { kind: 'read-path' | 'write-path' }>;

function canonicalPath(request: PathRequest, workspace: NamedFolder): CanonicalRequest | RefusedRequest {
  const problem = problemOfPath(request.path);
  if (problem !== undefined) {
    return unparseable(
      `${request.argument} ${problem}.`,
      'Give a path relative to the workspace, or an absolute one.',
    );
  }
  const path = pathInWorkspace(request.path, workspace);
  const { argument } = request;
  if (request.kind === 'read-path') return { kind: 'read', path, argument };
  return { kind: 'write', path, argument, ...(request.deletes && { deletes: true }) };
}

type CommandRequest = Extract<PermissionRequest, { kind: 'run-command' }>;

/** The same for a command, which takes more work. */
export function canonicalCommand(
  request: CommandRequest,
  surroundings: CommandSurroundings,
): CanonicalRequest | RefusedRequest {
  const { parser, shell, workspace, anyProgram } = surroundings;
  const problem = request.cwd === undefined ? undefined : problemOfPath(request.cwd);
  if (problem !== undefined) return unparseable(`cwd ${problem}.`, 'Use a directory inside the workspace.');
  const plan =
    request.args === undefined
      ? parser.parse(request.command, shell)
      : parser.fromArgv(request.command, request.args, shell);
  if (!plan.success) {
    const { reason, message, hint } = plan.error;
    // A shell that the policy allows runs scripts that this parser does not accept, inside the same sandbox.
    const isScript = anyProgram && shell === 'static' && reason !== 'UNPARSEABLE';
    return { kind: 'refused', reason, message, hint: isScript ? `${hint}; ${AS_SCRIPT}` : hint };
  }
  const cwd = normalisePath(request.cwd ?? '.', workspace);
  const names = surroundings.named === undefined ? [workspace] : [workspace, surroundings.named];
  const programs = plan.value.programs.map((call) => factsOf(call, cwd, surroundings));
  const deletes = new Set(programs.flatMap((facts) => wideDeletions(facts, names)));
  return {
    kind: 'command',
    plan: plan.value,
    programs,
    files: filesOf(plan.value, cwd),
    env: Object.keys(request.env ?? {}),
    home: parser.home,
    ...(plan.value.variables && { assigned: plan.value.variables.map(({ name }) => name) }),
    ...(plan.value.unseen && { unseen: plan.value.unseen }),
    ...(plan.value.unread && { unread: true }),
    ...(deletes.size > 0 && { deletes: [...deletes] }),
  };
}

function filesOf(plan: CommandPlan, cwd: string): Extract<CanonicalRequest, { kind: 'command' }>['files'] {
  return plan.files.map(({ mode, path, directory }) => ({
    mode: mode === 'read' ? 'read' : 'write',
    path: normalisePath(path, normalisePath(directory, cwd)),
  }));
}

function factsOf(call: ProgramCall, cwd: string, { locate }: CommandSurroundings): ProgramFacts {
  const directory = normalisePath(call.directory, cwd);
  const name = programName(call.program);
  const paths = call.possible ? undefined : pathsOf(call);
  const options = checkCall(call);
  const runsAt = runningSubcommandAt(name, call.args);
  // A shell builtin is not a file.
  const place = shellOnlyHint(call.program) === undefined ? locate?.(call.program, directory) : undefined;
  return {
    program: call.program,
    args: call.args,
    ...(call.via !== undefined && { via: call.via }),
    ...(call.unseenArguments && { unseenArguments: true }),
    ...(call.placeholders && { placeholders: call.placeholders }),
    ...(call.possible && { possible: true }),
    directory,
    interpreter: isInterpreter(name),
    ...(runsAt !== undefined && { runsAt }),
    ...(!options.success && { hazard: options.error }),
    ...(place && { resolvedPath: place.realPath }),
    location:
      place === undefined
        ? lexicalLocation(call.program, directory)
        : place.trusted
          ? 'trusted'
          : 'untrusted',
    reads: named(paths?.read, directory),
    writes: named(paths?.write, directory),
  };
}

/** A glob is expanded later, within what the caller may see. */
function named(words: readonly CommandWord[] | undefined, directory: string): readonly string[] {
  return (words ?? []).flatMap((word) => {
    if (word.kind !== 'literal' || (directory === ADRIFT && !word.text.startsWith('/'))) return [];
    return [normalisePath(word.text, directory)];
  });
}

/** Without access to the disk a bare name is unknown, and a path is trusted only in system directories. */
function lexicalLocation(program: string, directory: string): ProgramFacts['location'] {
  if (!program.includes('/')) return 'unknown';
  const path = normalisePath(program, directory);
  return holdsSystemPrograms(path) ? 'trusted' : 'untrusted';
}

function canonicalHost({
  host,
  port,
}: Extract<PermissionRequest, { kind: 'reach-host' }>): CanonicalRequest | RefusedRequest {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (!/^[a-z0-9._:-]{1,253}$/.test(name)) {
    return unparseable('The host is neither a name nor an address.', 'Give a host such as api.example.com.');
  }
  return { kind: 'host', host: name, ...(port !== undefined && { port }) };
}
