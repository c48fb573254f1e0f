import {
  type AssignedVariable,
  type CommandNode,
  type Redirect,
  type SimpleCommand,
  type TreeWord,
  wordText,
} from './command-plan.js';
import { mayChangeFiles } from './may-change-files.js';
import { enterDirectory, explicitPath, pathFrom } from './working-directory.js';

/** Returns the absolute path of a program as written, relative to the directory it runs in. */
export type ResolveProgram = (program: string, directory: string) => string;

/**
 * Returns the names that a pattern matches in a directory, sorted; empty if none. `changed`: an earlier
 * program of the line may change files. undefined leaves the pattern to the shell, which expands it at that
 * point.
 */
export type ExpandPattern = (
  pattern: string,
  directory: string,
  changed: boolean,
) => readonly string[] | undefined;

/**
 * Writes the accepted tree as a script for `bash --noprofile --norc -p -c`. Every word is single-quoted and
 * every program an absolute path, so that no builtin, function, alias or keyword can replace one. The shell's
 * own directory never changes: a program after `cd DIR` is started as `( cd -- ./DIR && program )`, and
 * redirections are relative to the call's directory. So each program runs in the directory that the plan
 * names, even if a `cd` fails. `cd` is the only builtin used: `-p` disables functions of that name and
 * CDPATH, the script cannot define one, and the operand begins with `/` or `.`, so it is neither an option
 * nor `-`.
 */
export function emitCommand(tree: CommandNode, resolve: ResolveProgram, expand: ExpandPattern): string {
  return new CommandText(resolve, expand).node(tree, '.');
}

class CommandText {
  constructor(
    private readonly resolve: ResolveProgram,
    private readonly expand: ExpandPattern,
    private changed = false,
  ) {}

  node(node: CommandNode, directory: string): string {
    switch (node.kind) {
      case 'builtin':
        return this.builtin(node, directory);
      case 'background':
        return `{ ${ended(this.node(node.body, directory))} } &`;
      case 'cd':
        return `( cd -- ${quote(explicitPath(enterDirectory(directory, node.directory)))} )`;
      case 'command':
        return this.simple(node, directory);
      case 'group':
        return this.group(node, directory);
      case 'pipeline':
        return this.pipeline(node, directory);
      case 'list':
        return this.list(node, directory);
    }
  }

  private list(node: Extract<CommandNode, { kind: 'list' }>, directory: string): string {
    let current = directory;
    let text = '';
    for (const { operator, node: part } of [{ operator: '', node: node.first }, ...node.rest]) {
      const emitted =
        part.kind === 'list' ? `{ ${ended(this.node(part, current))} }` : this.node(part, current);
      // An ampersand already separates commands.
      const between = text.endsWith('&') ? ' ' : ` ${operator} `;
      text += operator === '' ? emitted : `${between}${emitted}`;
      if (part.kind === 'cd') current = enterDirectory(current, part.directory);
      else this.changed ||= mayChangeFiles(part);
    }
    return text;
  }

  private pipeline(node: Extract<CommandNode, { kind: 'pipeline' }>, directory: string): string {
    const parts = node.parts.map((part) =>
      part.kind === 'list' || part.kind === 'pipeline'
        ? `{ ${ended(this.node(part, directory))} }`
        : this.node(part, directory),
    );
    return `${node.timed ? 'time ' : ''}${node.negated ? '! ' : ''}${parts.join(' | ')}`;
  }

  private group(node: Extract<CommandNode, { kind: 'group' }>, directory: string): string {
    const body = this.node(node.body, directory);
    const group = node.subshell ? `( ${body} )` : `{ ${ended(body)} }`;
    return group + redirections(node.redirects, directory);
  }

  private simple(node: SimpleCommand, directory: string): string {
    const [first, ...rest] = node.words;
    const program = this.program(first === undefined ? '' : wordText(first), directory);
    const variables = assignments(node.variables);
    const words = [...variables, program, ...rest.flatMap((word) => this.word(word, directory))].join(' ');
    const bound = directory === '.' ? words : `( cd -- ${quote(explicitPath(directory))} && ${words} )`;
    return bound + redirections(node.redirects, directory);
  }

  private builtin(node: Extract<CommandNode, { kind: 'builtin' }>, directory: string): string {
    const words = [node.name, ...node.words.map(quote), ...assignments(node.variables)].join(' ');
    const bound =
      node.name !== 'command' || directory === '.'
        ? words
        : `( cd -- ${quote(explicitPath(directory))} && ${words} )`;
    return bound + redirections(node.redirects, directory);
  }

  private program(name: string, directory: string): string {
    const path = this.resolve(name, directory);
    if (!path.startsWith('/')) throw new Error(`A program must resolve to an absolute path: ${path}`);
    return quote(path);
  }

  /** Writes the script of an inner shell, which starts in this directory and calls it `.`. */
  private inside(directory: string): CommandText {
    return new CommandText(
      (program, inner) => this.resolve(program, enterDirectory(directory, inner)),
      (pattern, inner, changed) => this.expand(pattern, enterDirectory(directory, inner), changed),
      this.changed,
    );
  }

  /**
   * env treats a word with an equals sign as a variable, so such a path must not be in the program's
   * position.
   */
  private wrapped(name: string, directory: string): string {
    const path = this.program(name, directory);
    return path.includes('=') ? quote(name) : path;
  }

  private word(word: TreeWord, directory: string): readonly string[] {
    if (word.kind === 'literal') return [quote(word.text)];
    if (word.kind === 'program') return [this.wrapped(word.text, directory)];
    if (word.kind === 'script') return [quote(this.inside(directory).node(word.tree, '.'))];
    const names = this.expand(word.pattern, directory, this.changed);
    if (names === undefined) return [patternText(word.pattern) ?? quote(wordText(word))];
    // As in a shell, a pattern without a match stands for itself.
    if (names.length === 0) return [quote(wordText(word))];
    return names.map((name) => quote(name.startsWith('-') ? `./${name}` : name));
  }
}

/** A list inside braces must end with a separator. */
function ended(text: string): string {
  return text.endsWith('&') ? text : `${text} ;`;
}

function assignments(variables: readonly AssignedVariable[] = []): readonly string[] {
  return variables.map(({ name, value }) => `${name}=${quote(value)}`);
}

/** Quotes for a shell: nothing is special between single quotes; a quote itself is written outside them. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const PATTERN_PART = /\\(.)|([*?])|(\[[!^]?(?:\[:[a-z]+:\]|[\w.,:=@%+-])+\])|([^\\*?[]+)/gsu;

/**
 * A pattern for the shell to expand: only wildcards are outside quotes. It begins so that no matching name
 * can be an option. undefined if a bracket holds more than plain characters.
 */
function patternText(pattern: string): string | undefined {
  let text = /^[*?[-]|^\\-/.test(pattern) ? './' : '';
  let end = 0;
  for (const found of pattern.matchAll(PATTERN_PART)) {
    if (found.index !== end) return undefined;
    end += found[0].length;
    const [, escaped, wildcard, bracket, plain] = found;
    text += wildcard ?? bracket ?? quote(escaped ?? plain ?? '');
  }
  return end === pattern.length ? text : undefined;
}

function redirections(redirects: readonly Redirect[], directory: string): string {
  return redirects.map((redirect) => ` ${redirection(redirect, directory)}`).join('');
}

const MODES = { read: '<', write: '>', append: '>>' } as const;

// A pipe may belong to another user, so it is not reopened by its name.
const STANDARD: ReadonlyMap<string, string> = new Map([
  ['> /dev/stdout', '>&1'],
  ['> /dev/stderr', '>&2'],
  ['< /dev/stdin', '<&0'],
]);

function redirection(redirect: Redirect, directory: string): string {
  switch (redirect.kind) {
    case 'file': {
      const standard = STANDARD.get(`${redirect.mode === 'read' ? '<' : '>'} ${redirect.target}`);
      if (standard !== undefined) return `${redirect.fd}${standard}`;
      return `${redirect.fd}${MODES[redirect.mode]} ${quote(pathFrom(directory, redirect.target))}`;
    }
    case 'duplicate':
      return `${redirect.fd}>&${redirect.from}`;
    case 'text':
      // A here-string adds a line end, as a here-document does; only an empty one differs.
      if (redirect.text === '') return `${redirect.fd}< '/dev/null'`;
      return `${redirect.fd}<<< ${quote(redirect.text.replace(/\n$/, ''))}`;
  }
}
