import {
  type CommandNode,
  type CommandPlan,
  type SimpleCommand,
  wordText,
} from '../../domain/command/command-plan.js';
import { type ExpandPattern, emitCommand } from '../../domain/command/command-text.js';
import { normalisePath } from '../../domain/permission/path/normal-path.js';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { PreparedCommand } from '../ports/command/command-runner.js';
import type { SandboxProgram } from '../ports/command/command-sandbox.js';

/** The longest single argument Linux passes to a program is 128 KiB; the limits need some of it. */
const MAX_SCRIPT_BYTES = 120_000;

export interface ProgramSource {
  readonly prepared: Pick<PreparedCommand, 'cwd' | 'shell' | 'expand'>;
  /** undefined: no such program. `directory` is absolute. */
  readonly locate: (program: string, directory: string) => string | undefined;
  /**
   * True if the shell of the command sees no more than the caller may, so that it can expand patterns itself.
   */
  readonly contained: boolean;
}

/** What to run: an argv if the plan is one program, else the tree as a script for a shell. */
export function commandProgram(plan: CommandPlan, source: ProgramSource): Result<SandboxProgram, ToolError> {
  if (plan.text !== undefined) return Result.ok(asText(plan.text, source));
  const argv = plan.tree.kind === 'command' ? asArgv(plan.tree, source) : undefined;
  if (argv !== undefined) return Result.ok(argv);
  const { shell } = source.prepared;
  if (shell === undefined) {
    return unable(
      'Pipes, lists, redirections and long patterns need bash, which is not on this machine. Pass one program with "args".',
    );
  }
  const text = asScript(plan.tree, source);
  if (text === undefined) {
    return unable(
      'The command is too long once its patterns are expanded. Name fewer files, or pass the list through xargs.',
    );
  }
  return Result.ok({ kind: 'script', shell, text });
}

/** Returns a program that does not exist, for the result a shell would give. */
export function missingProgram({ tree, text }: CommandPlan, source: ProgramSource): string | undefined {
  if (text !== undefined || tree.kind !== 'command' || tree.redirects.length > 0) return undefined;
  const name = tree.words[0] === undefined ? '' : wordText(tree.words[0]);
  if (name.includes('/') || source.locate(name, source.prepared.cwd) !== undefined) return undefined;
  return name;
}

/**
 * Unchanged, and never on standard input, which belongs to the programs of the script. The shell's name is as
 * one types it.
 */
function asText(text: string, { prepared: { shell } }: ProgramSource): SandboxProgram {
  return shell === undefined
    ? { kind: 'argv', file: '/bin/sh', args: ['-c', text, 'sh'] }
    : { kind: 'argv', file: shell, args: ['--noprofile', '--norc', '-c', text, 'bash'] };
}

function asArgv(command: SimpleCommand, { prepared, locate }: ProgramSource): SandboxProgram | undefined {
  const [first, ...rest] = command.words;
  if (first === undefined || command.redirects.length > 0 || command.variables) return undefined;
  const file = locate(wordText(first), prepared.cwd);
  if (file === undefined) return undefined;
  const args: string[] = [];
  for (const word of rest) {
    if (word.kind === 'script' || word.kind === 'program') return undefined;
    if (word.kind === 'literal') {
      args.push(word.text);
      continue;
    }
    const names = prepared.expand(word.pattern, '.');
    if (names === undefined) return undefined;
    args.push(...(names.length === 0 ? [wordText(word)] : names.map(withoutDash)));
  }
  return { kind: 'argv', file, args };
}

function withoutDash(name: string): string {
  return name.startsWith('-') ? `./${name}` : name;
}

function asScript(tree: CommandNode, source: ProgramSource): string | undefined {
  const { prepared, contained } = source;
  const resolve = (program: string, directory: string): string => {
    const folder = normalisePath(directory, prepared.cwd);
    return source.locate(program, folder) ?? absentProgram(program, folder);
  };
  let isLeftOver = false;
  const now: ExpandPattern = (pattern, directory) => {
    const names = prepared.expand(pattern, directory);
    isLeftOver ||= names === undefined;
    return names;
  };
  const fits = (text: string): boolean => new TextEncoder().encode(text).length <= MAX_SCRIPT_BYTES;
  if (!contained) {
    const text = emitCommand(tree, resolve, now);
    return !isLeftOver && fits(text) ? text : undefined;
  }
  const text = emitCommand(tree, resolve, (pattern, directory, changed) =>
    changed ? undefined : now(pattern, directory, changed),
  );
  if (fits(text)) return text;
  const short = emitCommand(tree, resolve, () => undefined);
  return fits(short) ? short : undefined;
}

/** A path that does not exist: a shell then reports it with the usual exit code. */
function absentProgram(program: string, directory: string): string {
  return program.includes('/') ? normalisePath(program, directory) : `/usr/bin/${program}`;
}

function unable(message: string): Result<never, ToolError> {
  return toolFailure(executionFailed(message));
}
