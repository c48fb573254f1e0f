import { type CommandNode, type SimpleCommand, wordText } from '../../domain/command/command-plan.js';

/** They say something or list names, and end by themselves. */
const TELLERS = new Set('echo printf true false pwd ls test ['.split(' '));
/**
 * Behind a pipe they end with what they read; with a file they could wait at a named pipe for ever. How many operands of
 * each are no files, and which options name one.
 */
const FILTERS: Readonly<Record<string, { readonly operands: number; readonly naming?: RegExp }>> = {
  cat: { operands: 0 },
  cut: { operands: 0 },
  grep: { operands: 1, naming: /^(-[A-Za-z]*[fdDrR]|--(file|recursive|deref|direc|devic))/ },
  head: { operands: 0 },
  nl: { operands: 0 },
  sort: { operands: 0, naming: /^(-[A-Za-z]*[oT]|--(out|files0|temp|compress|random-source))/ },
  tail: { operands: 0 },
  tr: { operands: 2 },
  uniq: { operands: 0 },
  wc: { operands: 0, naming: /^--files0/ },
};

/**
 * Whether everything beside git in this line ends by itself or with git, and changes nothing: then the line is as
 * short as git is, and what git may do in it nobody else does.
 */
export function keepsGitCompany(node: CommandNode): boolean {
  switch (node.kind) {
    case 'cd':
      return true;
    case 'builtin':
      return node.name === 'set' && node.redirects.length === 0;
    case 'background':
      return false;
    case 'group':
      return node.redirects.every(isHarmless) && keepsGitCompany(node.body);
    case 'list':
      return keepsGitCompany(node.first) && node.rest.every((part) => keepsGitCompany(part.node));
    case 'pipeline': {
      const [first, ...rest] = node.parts;
      return first !== undefined && keepsGitCompany(first) && rest.every(isFilter);
    }
    case 'command':
      return node.redirects.every(isHarmless) && (isGit(node) || TELLERS.has(programOf(node)));
  }
}

function isFilter(node: CommandNode): boolean {
  if (node.kind !== 'command' || !node.redirects.every(isHarmless)) return false;
  const name = programOf(node);
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  const words = node.words.slice(1);
  if (filter === undefined || words.some(({ kind }) => kind === 'glob')) return false;
  const texts = words.map(wordText);
  const operands = texts.filter((text) => !text.startsWith('-'));
  const isCounted = operands.length <= filter.operands + numbersOf(texts);
  return isCounted && !texts.some((text) => filter.naming?.test(text) === true);
}

/** Behind `-n` and the like. */
function numbersOf(texts: readonly string[]): number {
  return texts.filter((text, at) => /^\d+$/.test(text) && /^-[a-z]*[ncmw]$/.test(texts[at - 1] ?? '')).length;
}

function isGit(node: SimpleCommand): boolean {
  return programOf(node) === 'git';
}

/** Empty: a pattern in its place. */
function programOf({ words: [first] }: SimpleCommand): string {
  return first === undefined || first.kind === 'glob' ? '' : first.text;
}

function isHarmless(redirect: SimpleCommand['redirects'][number]): boolean {
  return redirect.kind !== 'file' || redirect.target === '/dev/null';
}
