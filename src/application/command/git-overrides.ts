import {
  type CommandNode,
  type CommandPlan,
  type TreeWord,
  wordText,
} from '../../domain/permission/command-plan.js';
import { programName } from '../../domain/permission/wrapper.js';

/** Nobody is there to answer a prompt, to leave a pager or to close an editor. */
const UNATTENDED: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
};

/** Settings that run programs or lead to another repository, each with the value that does not. */
const HARMLESS: readonly (readonly [string, string])[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'ssh'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.ext.allow', 'never'],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** Subcommands that show differences, which repositories may have drawn by a program of theirs. */
const DRAWING = new Set(['diff', 'log', 'show', 'whatchanged', 'diff-tree', 'diff-index', 'diff-files']);
const PLAIN_DRAWING: readonly TreeWord[] = ['--no-ext-diff', '--no-textconv'].map((text) => ({
  kind: 'literal',
  text,
}));

export function runsGit(plan: CommandPlan): boolean {
  return plan.programs.some((call) => programName(call.program) === 'git');
}

/** Subcommands that remove or move what git itself has made, and run nothing else. */
const TIDYING = /^(worktree (remove|move|prune|repair)|submodule deinit)$/;

/** git alone, and only to remove or move worktrees: what is read-only for other programs is for git to change. */
export function tidiesWorktrees({ programs }: CommandPlan): boolean {
  const [call, ...others] = programs;
  if (call?.program !== 'git' || others.length > 0) return false;
  const words = call.args.map(wordText);
  const [group, action] = words[0] === '-C' ? words.slice(2) : words;
  return TIDYING.test(`${group} ${action}`);
}

/** Variables for every git of the command. `own` are the repositories' entries that must not count. */
export function gitEnvironment(
  own: readonly (readonly [string, string])[] | undefined,
): Readonly<Record<string, string>> {
  if (own === undefined) return UNATTENDED;
  const entries = [...HARMLESS, ...own];
  const environment: Record<string, string> = { ...UNATTENDED, GIT_CONFIG_COUNT: String(entries.length) };
  for (const [index, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** The same tree, with every `git diff` and its like told to draw by itself. */
export function withPlainDrawing(node: CommandNode): CommandNode {
  switch (node.kind) {
    case 'cd':
      return node;
    case 'command':
      return { ...node, words: plainWords(node.words) };
    case 'group':
      return { ...node, body: withPlainDrawing(node.body) };
    case 'pipeline':
      return { ...node, parts: node.parts.map(withPlainDrawing) };
    case 'list':
      return {
        ...node,
        first: withPlainDrawing(node.first),
        rest: node.rest.map((item) => ({ ...item, node: withPlainDrawing(item.node) })),
      };
  }
}

function plainWords(words: readonly TreeWord[]): readonly TreeWord[] {
  const opened = words.map((word) =>
    word.kind === 'script' ? { ...word, tree: withPlainDrawing(word.tree) } : word,
  );
  const git = words.findIndex(
    (word, index) => (index === 0 || word.kind === 'program') && programName(wordText(word)) === 'git',
  );
  if (git < 0) return opened;
  const subcommand = words.findIndex((word, index) => index > git && DRAWING.has(wordText(word)));
  // Global options come first and begin with a dash, but for the folder of -C.
  const isFirst = words
    .slice(git + 1, subcommand)
    .every(
      (word, index, before) => /^-/.test(wordText(word)) || wordText(before[index - 1] ?? word) === '-C',
    );
  if (subcommand < 0 || !isFirst) return opened;
  return [...opened.slice(0, subcommand + 1), ...PLAIN_DRAWING, ...opened.slice(subcommand + 1)];
}
