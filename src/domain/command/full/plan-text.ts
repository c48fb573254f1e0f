import {
  type CommandNode,
  type CommandPlan,
  type CommandWord,
  type ProgramCall,
  type RedirectedFile,
  wordText,
} from '../command-plan.js';
import { possibleCalls, possibleFromText, possibleFromWords } from '../programs/possible-calls.js';
import { isShell } from '../shell-invocation.js';
import { ADRIFT } from '../working-directory.js';
import { programName, unwrap } from '../wrapper.js';
import { isWrapper, wrapperGrammar } from '../wrapper-grammar.js';
import { isEverything, literal, shown, within } from './plan-words.js';
import type { ReadShellText, SeenCommand, ShellReading } from './seen-command.js';
import { shellInput } from './shell-input.js';

const MAX_PROGRAMS = 1024;
const MAX_DEPTH = 8;

const SHELL = 'bash';
const OPTIONS = ['--noprofile', '--norc', '-c'];

/** Plans a shell script, with every program and file that it shows. */
export function planText(text: string, read: ReadShellText): CommandPlan {
  const planner = new TextPlanner(read);
  planner.take(read(text), '.', undefined, 0);
  if (planner.unread) planner.guess(text);
  const tree: CommandNode = {
    kind: 'command',
    words: [SHELL, ...OPTIONS, text].map(literal),
    redirects: [],
  };
  // The shell itself is one of the programs; what it runs is listed separately.
  const shell: ProgramCall = { program: SHELL, args: OPTIONS.map(literal), directory: '.' };
  return { ...planner.plan(tree, [shell]), text };
}

/**
 * Lists what an argv shows besides itself: `bash -c SCRIPT`, `env … sh -c SCRIPT`. It runs exactly as given.
 */
export function planArgv(words: readonly string[], read: ReadShellText): CommandPlan {
  const planner = new TextPlanner(read);
  const seen = words.map(literal);
  planner.take({ commands: [{ words: seen, directory: '.' }], files: [], unread: false }, '.', undefined, 0);
  return planner.plan({ kind: 'command', words: seen, redirects: [] }, []);
}

class TextPlanner {
  unread = false;
  private readonly programs: ProgramCall[] = [];
  private readonly possible: ProgramCall[] = [];
  private readonly files: RedirectedFile[] = [];
  private readonly unseen = new Set<string>();

  constructor(private readonly read: ReadShellText) {}

  plan(tree: CommandNode, first: readonly ProgramCall[]): CommandPlan {
    return { tree, ...this.parts(first) };
  }

  parts(first: readonly ProgramCall[]): Omit<CommandPlan, 'tree'> {
    return {
      programs: [...first, ...this.programs, ...this.possible],
      files: this.files,
      ...(this.unseen.size > 0 && { unseen: [...this.unseen] }),
      ...(this.unread && { unread: true }),
    };
  }

  take(reading: ShellReading, directory: string, via: string | undefined, depth: number): void {
    if (reading.unread) this.unread = true;
    for (const command of reading.commands) {
      if (this.programs.length + this.possible.length > MAX_PROGRAMS) {
        this.unread = true;
        return;
      }
      this.command({ ...command, directory: within(directory, command.directory) }, via, depth);
    }
    for (const file of reading.files) {
      const place = within(directory, file.directory);
      if (place !== ADRIFT || file.path.startsWith('/')) this.files.push({ ...file, directory: place });
    }
  }

  /** If a script is not understood, every word may be a program. */
  guess(text: string): void {
    this.possible.push(...possibleFromText({ program: SHELL, args: [], directory: '.' }, SHELL, text));
  }

  private command(command: SeenCommand, via: string | undefined, depth: number): undefined {
    const [program, ...args] = command.words;
    if (program === undefined) return;
    if (command.unseenProgram !== undefined) this.unseen.add(command.unseenProgram);
    const { directory } = command;
    const call: ProgramCall = {
      program: program.kind === 'glob' ? (command.unseenProgram ?? wordText(program)) : program.text,
      args,
      directory,
      ...(via !== undefined && { via }),
    };
    // After a program that cannot be known, each word may be one.
    if (program.kind === 'glob') this.possible.push(...possibleFromWords(call, 'the shell', args));
    if (!this.builtin(call, command, depth)) this.opened(call, command, depth);
  }

  /** Returns true for a builtin that runs something, after following it. */
  private builtin(call: ProgramCall, command: SeenCommand, depth: number): boolean {
    const { args } = call;
    switch (call.program) {
      case 'eval':
        this.programs.push(call);
        this.script(args, call, depth);
        return true;
      case 'trap':
        this.programs.push(call);
        this.script(args.filter((word) => !/^-/.test(wordText(word))).slice(0, 1), call, depth);
        return true;
      case 'exec':
      case 'command':
      case 'builtin':
        this.programs.push(call);
        this.rest(args, command, depth);
        return true;
      case 'alias':
        this.programs.push(call);
        for (const word of args)
          this.possible.push(...possibleFromText(call, 'alias', wordText(word).replace(/^[^=]*=/, '')));
        return true;
      case 'source':
      case '.':
        this.programs.push(call);
        for (const word of args.slice(0, 1)) {
          if (word.kind === 'literal' && call.directory !== ADRIFT)
            this.files.push({ mode: 'read', path: word.text, directory: call.directory });
        }
        return true;
      default:
        return false;
    }
  }

  /** `exec -a NAME program`, `command -p program`; `command -v` only looks up. */
  private rest(args: readonly CommandWord[], command: SeenCommand, depth: number): undefined {
    if (depth >= MAX_DEPTH) {
      this.unread = true;
      return;
    }
    const options = args.findIndex((word) => !/^-./.test(wordText(word)));
    if (options < 0 || args.slice(0, options).some((word) => /^-[a-z]*[vV]/.test(wordText(word)))) return;
    const skipped = args.slice(0, options).some((word) => wordText(word) === '-a') ? options + 1 : options;
    const words = args.slice(skipped);
    const [program] = words;
    const { unseenProgram: _, ...others } = command;
    const isUnseen = program?.kind === 'glob';
    this.command(
      { ...others, words, ...(isUnseen && { unseenProgram: wordText(program) }) },
      undefined,
      depth + 1,
    );
  }

  /** Follows a script made of words, as eval and trap accept it. */
  private script(words: readonly CommandWord[], call: ProgramCall, depth: number): undefined {
    const isKnown = words.every((word) => word.kind === 'literal');
    const text = words.map(wordText).join(' ');
    if (!isKnown) {
      this.unseen.add(shown(`${call.program} ${text}`));
      this.possible.push(...possibleFromText(call, call.program, text));
    } else this.nested(text, call, depth);
  }

  private nested(text: string, call: ProgramCall, depth: number): undefined {
    if (depth >= MAX_DEPTH) this.unread = true;
    else this.take(this.read(text), call.directory, programName(call.program), depth + 1);
  }

  /** Follows nested wrappers. */
  private opened(outer: ProgramCall, { input, fedBy }: SeenCommand, depth: number): undefined {
    let call = outer;
    for (let level = 0; level <= MAX_DEPTH; level += 1) {
      const name = programName(call.program);
      this.programs.push(call);
      if (fedBy !== undefined && call.unseenArguments) this.fed(call, fedBy);
      this.possible.push(...possibleCalls(call, name));
      if (isShell(name)) return this.shell(call, input, depth);
      if (level > 0 && name === 'command')
        return this.rest(call.args, { words: [], directory: call.directory }, depth);
      if (!isWrapper(name)) return;
      const inner = unwrap(call);
      if (inner.kind === 'none') return;
      if (inner.kind === 'script') return this.nested(inner.text, call, depth);
      if (inner.kind === 'refused') return this.unopened(call, name);
      call = inner.call;
    }
    this.unread = true;
  }

  /** `ls | xargs rm -rf` deletes the files that ls prints. */
  private fed(call: ProgramCall, [program, ...args]: readonly CommandWord[]): undefined {
    const name = program === undefined ? '' : programName(wordText(program));
    const { unseenArguments: _, ...seen } = call;
    const begin = args.findIndex((word) => /^[-(!]/.test(wordText(word)));
    const isPlain = name === 'ls' || (name === 'find' && (begin < 0 || isEverything(args.slice(begin))));
    if (!isPlain) return;
    const places =
      name === 'ls'
        ? args.filter((word) => !/^-/.test(wordText(word)))
        : args.slice(0, begin < 0 ? args.length : begin);
    const all: readonly CommandWord[] = places.length === 0 ? [{ kind: 'glob', pattern: '*' }] : places;
    this.possible.push({ ...seen, args: [...call.args, ...all], possible: true });
  }

  private shell(call: ProgramCall, input: string | undefined, depth: number): undefined {
    const told = shellInput(call.args);
    switch (told.kind) {
      case 'text':
        return this.nested(told.text, call, depth);
      case 'unseen':
        this.unseen.add(shown(`${call.program} -c ${told.written}`));
        this.possible.push(...possibleFromText(call, programName(call.program), told.written));
        return;
      case 'input':
        if (input !== undefined) this.nested(input, call, depth);
        return;
      case 'file':
        return;
    }
  }

  /** A wrapper whose words we do not follow: from the first word that may be a program, all of them. */
  private unopened(call: ProgramCall, name: string): undefined {
    this.possible.push(...possibleFromWords(call, name, call.args));
    const operands = call.args.filter(
      (word) => !/^-|^[A-Za-z_]\w*=|^\d+(\.\d+)?[smhd]?$/.test(wordText(word)),
    );
    const before = operands.findIndex((word) => word.kind === 'literal');
    const unknown = before < 0 ? operands.length : before;
    if (unknown > (wrapperGrammar(name)?.skips ?? 0))
      this.unseen.add(shown([call.program, ...call.args.map(wordText)].join(' ')));
  }
}
