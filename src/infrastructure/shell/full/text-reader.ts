import type {
  AndOr,
  Assignment,
  Command,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  Word,
} from 'unbash';
import type { CommandWord, RedirectedFile } from '../../../domain/command/command-plan.js';
import type { SeenCommand, ShellReading } from '../../../domain/command/full/seen-command.js';
import { ADRIFT } from '../../../domain/command/working-directory.js';
import { innerScripts } from './inner-scripts.js';
import { isLiteral, knownText, knownWords } from './known-words.js';
import { literalOutput } from './literal-output.js';
import { ShellState } from './shell-state.js';

const MAX_COMMANDS = 1024;
const MAX_DEPTH = 64;
const MAX_ROUNDS = 8;
const MAX_WORDS = 8192;
const MAX_SHOWN = 80;
/** `GIT_SSH_COMMAND='…' git fetch`: the value is a program that another one starts. */
const PROGRAM_VARIABLE = /(COMMAND|EDITOR|PAGER|ASKPASS|SHELL|BROWSER|_SSH|_EXEC)$/;

type ParseBash = (text: string) => ParsedScript;

/** What a command finds before it in its pipeline. */
interface Feed {
  readonly text: string | undefined;
  readonly words: readonly CommandWord[];
}

/**
 * Every simple command that a text shows, wherever it stands. Structure, variables and folders are followed in the
 * order of the text, as if every branch were taken: it says what may run, for denies and questions, never that it does.
 */
export function readShellText(text: string, parse: ParseBash, home: string): ShellReading {
  const reader = new TextReader(home);
  try {
    reader.script(parse(text), 0);
  } catch {
    // A parser that gives up has not understood it; what it showed so far counts.
    reader.unread = true;
  }
  return { commands: reader.commands, files: reader.files, unread: reader.unread };
}

class TextReader {
  readonly commands: SeenCommand[] = [];
  readonly files: RedirectedFile[] = [];
  unread = false;
  private wordsLeft = MAX_WORDS;
  private readonly state: ShellState;

  constructor(home: string) {
    this.state = new ShellState(home);
  }

  script(script: ParsedScript | undefined, depth: number): undefined {
    if (script === undefined || (script.errors?.length ?? 0) > 0) this.unread = true;
    return this.statements(script?.commands ?? [], depth);
  }

  private statements(statements: readonly Statement[], depth: number): undefined {
    if (depth > MAX_DEPTH) this.unread = true;
    else for (const { command } of statements) this.andOr(command, depth);
  }

  private andOr(node: AndOr | PipelineNode, depth: number): undefined {
    for (const part of node.type === 'AndOr' ? node.commands : [node]) this.node(part, depth);
  }

  private list(list: CompoundList | undefined, depth: number): undefined {
    return this.statements(list?.commands ?? [], depth + 1);
  }

  private node(node: PipelineNode, depth: number, feed?: Feed): undefined {
    const isTooMuch = this.commands.length + this.files.length > MAX_COMMANDS;
    this.unread ||= isTooMuch;
    if (isTooMuch) return;
    switch (node.type) {
      case 'Command':
        return this.command(node, depth, feed);
      case 'Pipeline':
        return this.pipeline(node.commands, depth);
      case 'Redirected':
        this.redirects(node.redirects, depth);
        return this.node(node.command, depth);
      case 'Subshell':
        return this.state.apart(() => this.list(node.body, depth));
      case 'BraceGroup':
        return this.list(node.body, depth);
      case 'Function':
      case 'Coproc':
        return this.state.apart(() => this.body(node.body, depth));
      case 'TestCommand':
      case 'ArithmeticCommand':
        return this.inner(node, depth);
      default:
        return this.controlFlow(node, depth);
    }
  }

  private controlFlow(
    node: Extract<PipelineNode, { type: 'If' | 'While' | 'For' | 'Select' | 'Case' | 'ArithmeticFor' }>,
    depth: number,
  ): undefined {
    switch (node.type) {
      case 'If':
        for (const part of [node, ...node.elif]) {
          this.list(part.clause, depth);
          this.list(part.then, depth);
        }
        return this.list(node.else, depth);
      case 'While':
        this.list(node.clause, depth);
        return this.list(node.body, depth);
      case 'For':
      case 'Select':
        return this.loop(node, depth);
      case 'Case':
        this.words([node.word], depth);
        for (const item of node.items) {
          this.words(item.pattern, depth);
          this.list(item.body, depth);
        }
        return undefined;
      case 'ArithmeticFor':
        this.inner(node, depth, ['body']);
        return this.list(node.body, depth);
    }
  }

  private body(body: PipelineNode | CompoundList, depth: number): undefined {
    return body.type === 'CompoundList' ? this.list(body, depth) : this.node(body, depth + 1);
  }

  /** Every part of a pipeline has a shell of its own. */
  private pipeline(parts: readonly PipelineNode[], depth: number): undefined {
    let feed: Feed | undefined;
    for (const part of parts) {
      const from = feed;
      const at = this.commands.length;
      if (parts.length === 1) this.node(part, depth);
      else this.state.apart(() => this.node(part, depth, from));
      const made = part.type === 'Command' ? this.commands[at] : undefined;
      feed = made && { text: literalOutput(made), words: made.words };
    }
  }

  private loop(node: Extract<PipelineNode, { type: 'For' | 'Select' }>, depth: number): undefined {
    const words = this.words(node.wordlist ?? [], depth);
    const values = words.filter((word) => word.kind === 'literal' || !word.unseen).slice(0, MAX_ROUNDS);
    const name = node.name.value;
    for (const value of values.length === 0 ? [undefined] : values) {
      this.state.set(name, value);
      this.list(node.body, depth);
    }
    // Not all that it may be was followed.
    if (words.length > values.length) this.state.set(name, undefined);
  }

  private command(node: Command, depth: number, feed?: Feed): undefined {
    this.redirects(node.redirects, depth);
    const assignments = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    for (const assignment of assignments) this.inner(assignment, depth);
    if (node.name === undefined) {
      for (const assignment of assignments) this.state.assign(assignment);
      return undefined;
    }
    const program = this.words([node.name], depth);
    const args = node.args.flatMap((part) => this.argument(part, depth));
    const input = this.inputOf(node.redirects) ?? feed?.text;
    this.commands.push({
      words: [...program, ...args],
      directory: this.state.directory,
      ...(input !== undefined && { input }),
      ...(!isLiteral(node.name) && { unseenProgram: node.name.text.slice(0, MAX_SHOWN) }),
      ...(feed && { fedBy: feed.words }),
    });
    for (const assignment of assignments) this.asCommand(assignment);
    return this.state.follow(program, args, node);
  }

  private argument(part: Word | Assignment, depth: number): readonly CommandWord[] {
    if (part.type === 'Word') return this.words([part], depth);
    this.inner(part, depth);
    const value = part.value.type === 'Word' ? knownText(part.value, this.state) : undefined;
    return value === undefined
      ? [{ kind: 'glob', pattern: `${part.name}=*`, unseen: true }]
      : [{ kind: 'literal', text: `${part.name}=${value}` }];
  }

  private asCommand({ name, value }: Assignment): void {
    const isProgram = PROGRAM_VARIABLE.test(name) && value.type === 'Word';
    const text = isProgram ? knownText(value, this.state) : undefined;
    if (text === undefined || text === '') return;
    const words = ['sh', '-c', text].map((word): CommandWord => ({ kind: 'literal', text: word }));
    this.commands.push({ words, directory: this.state.directory });
  }

  private words(words: readonly Word[], depth: number): readonly CommandWord[] {
    return words.flatMap((word) => {
      this.unread ||= this.wordsLeft <= 0;
      if (word.parts !== undefined && this.wordsLeft > 0) this.inner(word, depth);
      const known = this.wordsLeft <= 0 ? [] : knownWords(word, this.state);
      this.wordsLeft -= known.length;
      return known;
    });
  }

  /** Scripts inside a word, an expression or a body: each runs in a shell of its own. */
  private inner(node: object, depth: number, without: readonly string[] = []): undefined {
    for (const script of innerScripts(node, without)) this.state.apart(() => this.script(script, depth + 1));
  }

  private inputOf(redirects: readonly Redirection[]): string | undefined {
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') return redirect.body.text;
      if (redirect.type === 'HereString' && redirect.target !== undefined)
        return knownText(redirect.target, this.state) ?? redirect.target.value;
    }
    return undefined;
  }

  private redirects(redirects: readonly Redirection[], depth: number): void {
    for (const redirect of redirects) {
      this.inner(redirect, depth);
      if (redirect.type !== 'Redirect' || redirect.target === undefined) continue;
      const path = knownText(redirect.target, this.state) ?? '';
      const { directory } = this.state;
      const isDuplicate = redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(path);
      if (path === '' || isDuplicate || /^\/dev\/(tcp|udp)\//.test(path)) continue;
      if (directory === ADRIFT && !path.startsWith('/')) continue;
      const mode = redirect.operator === '<' ? 'read' : redirect.operator.includes('>>') ? 'append' : 'write';
      this.files.push({ mode, path, directory });
    }
  }
}
