import { type Failure, Result } from '../result.js';
import {
  type AssignedVariable,
  type CommandNode,
  type CommandPlan,
  type CommandRefusal,
  type ProgramCall,
  type Redirect,
  type RedirectedFile,
  type ScriptWord,
  type SimpleCommand,
  type TreeWord,
  wordText,
} from './command-plan.js';
import { refuseCommand } from './command-refusal.js';
import { checkDirectoryChanges } from './directory-changes.js';
import { possibleCalls } from './programs/possible-calls.js';
import { shellOnlyHint } from './shell-vocabulary.js';
import { enterDirectory } from './working-directory.js';
import { programName, unwrap } from './wrapper.js';

const MAX_PROGRAMS = 256;
const MAX_WRAPPING = 8;

type ParseScript = (text: string) => Result<CommandNode, CommandRefusal>;
type Visited = Result<CommandNode, CommandRefusal>;

/**
 * Lists the programs and files of a tree, with wrappers opened. Scripts given to a shell (`sh -c SCRIPT`)
 * become trees: on their own they form a group, so that no shell ever reads the original text.
 */
export function planCommand(
  tree: CommandNode,
  parseScript: ParseScript,
): Result<CommandPlan, CommandRefusal> {
  const planner = new CommandPlanner(parseScript);
  const visited = planner.visit(tree, '.', undefined, 0);
  if (!visited.success) return visited;
  return Result.ok({
    tree: visited.value,
    programs: [...planner.programs, ...planner.possible],
    files: planner.files,
    ...(planner.variables.length > 0 && { variables: planner.variables }),
    ...(planner.background && { background: true }),
  });
}

class CommandPlanner {
  readonly programs: ProgramCall[] = [];
  readonly possible: ProgramCall[] = [];
  readonly files: RedirectedFile[] = [];
  readonly variables: AssignedVariable[] = [];
  background = false;

  constructor(private readonly parseScript: ParseScript) {}

  visit(node: CommandNode, directory: string, via: string | undefined, depth: number): Visited {
    switch (node.kind) {
      case 'cd':
        return Result.ok(node);
      case 'builtin':
        this.variables.push(...(node.variables ?? []));
        return this.redirects(node.redirects, directory) ?? Result.ok(node);
      case 'background': {
        this.background = true;
        const body = this.visit(node.body, directory, via, depth);
        return body.success ? Result.ok({ kind: 'background', body: body.value }) : body;
      }
      case 'command':
        return this.simple(node, directory, via, depth);
      case 'group':
        return this.group(node, directory, via, depth);
      case 'pipeline':
        return this.pipeline(node, directory, via, depth);
      case 'list':
        return this.list(node, directory, via, depth);
    }
  }

  private list(
    node: Extract<CommandNode, { kind: 'list' }>,
    directory: string,
    via: string | undefined,
    depth: number,
  ): Visited {
    const refused = checkDirectoryChanges(node);
    if (refused !== undefined) return refused;
    let current = directory;
    const nodes: CommandNode[] = [];
    for (const part of [node.first, ...node.rest.map((item) => item.node)]) {
      if (part.kind === 'cd') current = enterDirectory(current, part.directory);
      const visited = this.visit(part, current, via, depth);
      if (!visited.success) return visited;
      nodes.push(visited.value);
    }
    const [first = node.first, ...rest] = nodes;
    const operators = node.rest.map((item) => item.operator);
    return Result.ok({
      kind: 'list',
      first,
      rest: rest.map((part, index) => ({ operator: operators[index] ?? ';', node: part })),
    });
  }

  private pipeline(
    node: Extract<CommandNode, { kind: 'pipeline' }>,
    directory: string,
    via: string | undefined,
    depth: number,
  ): Visited {
    const parts: CommandNode[] = [];
    for (const part of node.parts) {
      if (part.kind === 'cd' && node.parts.length === 1) {
        return refuseCommand('SHELL_SYNTAX', 'cd after ! or time', 'write cd DIR && ! COMMAND');
      }
      const visited = this.visit(part, directory, via, depth);
      if (!visited.success) return visited;
      parts.push(visited.value);
    }
    return Result.ok({ ...node, parts });
  }

  private group(
    node: Extract<CommandNode, { kind: 'group' }>,
    directory: string,
    via: string | undefined,
    depth: number,
  ): Visited {
    const refused = this.redirects(node.redirects, directory);
    if (refused !== undefined) return refused;
    const body = this.visit(node.body, directory, via, depth);
    return body.success ? Result.ok({ ...node, body: body.value }) : body;
  }

  private simple(node: SimpleCommand, directory: string, via: string | undefined, depth: number): Visited {
    const refused = this.redirects(node.redirects, directory);
    if (refused !== undefined) return refused;
    this.variables.push(...(node.variables ?? []));
    const words = node.words.map((word) =>
      word.kind === 'script' || word.kind === 'program' ? literal(word.text) : word,
    );
    const [program, ...args] = words;
    if (program === undefined) return refuseCommand('UNPARSEABLE', 'A command without a program', 'name one');
    const name = wordText(program);
    const hint = name === 'cd' ? 'set the working folder of the call instead' : shellOnlyHint(name);
    if (hint !== undefined) {
      return refuseCommand('SHELL_SYNTAX', `${name} is a builtin of the shell, not a program`, hint);
    }
    if (name === 'kill' && args.some((word) => wordText(word).startsWith('%'))) {
      return refuseCommand(
        'SHELL_SYNTAX',
        'A job of the shell (%1)',
        'everything that a call starts is stopped with it',
      );
    }
    const call: ProgramCall = { program: name, args, directory, ...(via !== undefined && { via }) };
    return this.unwrapped(node, call, depth);
  }

  /** Follows nested wrappers; `offset` is where the words of the inner call start. */
  private unwrapped(command: SimpleCommand, outer: ProgramCall, depth: number): Visited {
    let node = command;
    let call = outer;
    let offset = 1;
    for (let level = 0; level <= MAX_WRAPPING; level += 1) {
      this.programs.push(call);
      this.possible.push(...possibleCalls(call, programName(call.program)));
      if (this.programs.length > MAX_PROGRAMS) {
        return refuseCommand('UNPARSEABLE', `More than ${MAX_PROGRAMS} programs`, 'split the command');
      }
      const inner = unwrap(call);
      switch (inner.kind) {
        case 'none':
          return Result.ok(node);
        case 'refused':
          return inner.failure;
        case 'script':
          return this.script(
            node,
            call,
            inner.text,
            level === 0 && node.variables === undefined ? undefined : offset + inner.index,
            depth,
          );
        case 'program':
          if (!inner.applet)
            node = withWord(node, offset + inner.index, { kind: 'program', text: inner.call.program });
          offset += inner.index + 1;
          call = inner.call;
      }
    }
    return refuseCommand('UNPARSEABLE', 'Too many wrappers around one program', 'leave some of them out');
  }

  private script(
    node: SimpleCommand,
    call: ProgramCall,
    text: string,
    word: number | undefined,
    depth: number,
  ): Visited {
    const shell = programName(call.program);
    if (depth >= MAX_WRAPPING) return refuseCommand('UNPARSEABLE', 'Shells inside shells', 'leave some out');
    const parsed = this.parseScript(text);
    if (!parsed.success) return inside(shell, parsed.error);
    const body = this.visit(parsed.value, call.directory, shell, depth + 1);
    if (!body.success) return inside(shell, body.error);
    if (word === undefined) {
      return Result.ok({ kind: 'group', subshell: true, body: body.value, redirects: node.redirects });
    }
    const script: ScriptWord = { kind: 'script', text, tree: body.value };
    return Result.ok(withWord(node, word, script));
  }

  private redirects(redirects: readonly Redirect[], directory: string): Failure<CommandRefusal> | undefined {
    for (const redirect of redirects) {
      if (redirect.kind !== 'file') continue;
      // bash opens a connection for these names, quoted or not; no such file exists.
      if (/^\/dev\/(tcp|udp)(\/|$)/.test(enterDirectory(directory, redirect.target))) {
        return refuseCommand('SHELL_SYNTAX', 'A redirection to a network address', 'use a program for it');
      }
      this.files.push({ mode: redirect.mode, path: redirect.target, directory });
    }
    return undefined;
  }
}

function withWord(node: SimpleCommand, index: number, word: TreeWord): SimpleCommand {
  return { ...node, words: node.words.with(index, word) };
}

function literal(text: string): { readonly kind: 'literal'; readonly text: string } {
  return { kind: 'literal', text };
}

/** The column refers to the inner script, not to the given text. */
function inside(shell: string, refusal: CommandRefusal): Result<never, CommandRefusal> {
  return refuseCommand(
    refusal.reason,
    `In the text given to ${shell} -c: ${refusal.message}`,
    `${refusal.hint}; or leave ${shell} -c out and write the command itself`,
  );
}
