import { type CommandWord, type ProgramCall, wordText } from '../command-plan.js';
import { isShell } from '../shell-invocation.js';
import { isWrapper } from '../wrapper-grammar.js';
import { givesFlag } from './flags.js';
import { runningSubcommandAt, startsNamedProgram } from './runners.js';

const MAX_WORDS = 64;
const PROGRAM = /^[\w.+/@-]*[A-Za-z0-9_]$/;
/** Characters that end one command and may start another, in a text that a program passes to a shell. */
const SEPARATORS = /[\s;&|(){}<>`$'"!]+/;
/** `--to-command=rm`, `--checkpoint-action=exec=rm`, `--compress-program=rm`. */
const RUNNING_OPTION =
  /^--?[\w-]*(?:exec|command|program|action|rsh|filter|pre|pager|editor|shell|run)[\w-]*=(.+)$/s;
const FIND_ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const GIT_RUNNERS = new Set([
  'bisect',
  'rebase',
  'submodule',
  'filter-branch',
  'difftool',
  'mergetool',
  'for-each-repo',
]);

/**
 * What a call may start besides itself, as far as its words show. Only denies and consents use it, so it errs
 * on the side of listing too much. It does not see what a script or a file does: the sandbox contains that.
 */
export function possibleCalls(call: ProgramCall, name: string): readonly ProgramCall[] {
  const words = call.args.slice(0, MAX_WORDS);
  const found: ProgramCall[] = [];
  for (const word of words) found.push(...fromOption(call, name, wordText(word)));
  if (name === 'find') found.push(...fromFind(call, name));
  else if (name === 'git') found.push(...fromGit(call, words));
  else if (/^fd(find)?$/.test(name)) found.push(...after(call, name, /^(-[^-]*[xX]|--exec(-batch)?)$/));
  else if (startsNamedProgram(name)) found.push(...possibleFromWords(call, name, words));
  else {
    const running = runningSubcommandAt(name, words);
    if (running !== undefined) found.push(...possibleFromWords(call, name, words.slice(running + 1)));
  }
  return found;
}

function possible(
  { directory, unseenArguments }: ProgramCall,
  via: string,
  program: string,
  args: readonly CommandWord[],
): readonly ProgramCall[] {
  return PROGRAM.test(program)
    ? [{ program, args, via, directory, possible: true, ...(unseenArguments && { unseenArguments }) }]
    : [];
}

function fromOption(call: ProgramCall, name: string, word: string): readonly ProgramCall[] {
  if (!word.startsWith('-')) return [];
  const [, value] = RUNNING_OPTION.exec(word) ?? [];
  return value === undefined ? [] : [...possibleFromText(call, name, value.replace(/^exec=/, ''))];
}

/** Each word of the text, with the words after it. */
export function possibleFromText(call: ProgramCall, via: string, text: string): readonly ProgramCall[] {
  const tokens = text
    .split(SEPARATORS)
    .filter((token) => token !== '')
    .slice(0, MAX_WORDS);
  const words = tokens.map((token): CommandWord => ({ kind: 'literal', text: token }));
  return tokens.flatMap((token, index) => possible(call, via, token, words.slice(index + 1)));
}

function fromFind(call: ProgramCall, name: string): readonly ProgramCall[] {
  return call.args.flatMap((word, index) => {
    if (!FIND_ACTIONS.has(wordText(word))) return [];
    const rest = call.args.slice(index + 1, index + 1 + MAX_WORDS);
    const end = rest.findIndex((one) => /^[;+]$/.test(wordText(one)));
    return [...fromCommand(call, name, end < 0 ? rest : rest.slice(0, end))];
  });
}

function after(call: ProgramCall, name: string, option: RegExp): readonly ProgramCall[] {
  const index = call.args.findIndex((word) => option.test(wordText(word)));
  return index < 0 ? [] : fromCommand(call, name, call.args.slice(index + 1));
}

/** The first word is the program, which may in turn start another. */
function fromCommand(call: ProgramCall, via: string, words: readonly CommandWord[]): readonly ProgramCall[] {
  const program = words[0] === undefined ? '' : wordText(words[0]);
  const name = program.slice(program.lastIndexOf('/') + 1);
  const opens = isWrapper(name) || isShell(name) || startsNamedProgram(name) || name === 'command';
  return opens ? possibleFromWords(call, via, words) : possible(call, via, program, words.slice(1));
}

/** Each word that may name a program, with the words after it. */
export function possibleFromWords(
  call: ProgramCall,
  name: string,
  words: readonly CommandWord[],
): readonly ProgramCall[] {
  return words.slice(0, MAX_WORDS).flatMap((word, index) => {
    const text = wordText(word);
    if (SEPARATORS.test(text)) return possibleFromText(call, name, text);
    return text.startsWith('-') ? [] : possible(call, name, text, words.slice(index + 1));
  });
}

/** `git -c alias.p=push p`, `git rebase -x 'make test'`. */
function fromGit(call: ProgramCall, words: readonly CommandWord[]): readonly ProgramCall[] {
  const texts = words.map(wordText);
  const aliases = texts.flatMap((text) => {
    const [, value] = /^(?:-c)?alias\.[^=]*=(.*)$/is.exec(text) ?? [];
    if (value === undefined) return [];
    if (value.startsWith('!')) return possibleFromText(call, 'git', value);
    const args = value.split(/\s+/).map((word): CommandWord => ({ kind: 'literal', text: word }));
    return possible(call, 'git', 'git', args);
  });
  const runs = texts.some((text) => GIT_RUNNERS.has(text) || givesFlag(text, '--exec'));
  return runs ? [...aliases, ...possibleFromWords(call, 'git', words)] : aliases;
}
