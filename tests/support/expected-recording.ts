import { join } from 'node:path';
import type { CommandNode, Redirect, TreeWord } from '../../src/domain/command/command-plan.js';
import type { ExpandPattern } from '../../src/domain/command/command-text.js';
import { enterDirectory } from '../../src/domain/command/working-directory.js';

/** What the tree says would run: `name folder args`, and the files it would make. */
export interface Expected {
  readonly programs: string[];
  readonly files: string[];
}

const WRAPPERS: Readonly<Record<string, number>> = { timeout: 2, env: 2, nice: 3 };

/** Runs the tree on paper: every program succeeds but `no`. Answers whether the whole succeeded. */
export function expectRecording(
  node: CommandNode,
  directory: string,
  expand: ExpandPattern,
  seen: Expected,
): boolean {
  switch (node.kind) {
    case 'cd':
    case 'builtin':
      return true;
    case 'background':
      expectRecording(node.body, directory, expand, seen);
      return true;
    case 'command':
      return expectCommand(node, directory, expand, seen);
    case 'group':
      expectFiles(node.redirects, directory, seen);
      return expectRecording(node.body, directory, expand, seen);
    case 'pipeline': {
      const statuses = node.parts.map((part) => expectRecording(part, directory, expand, seen));
      return statuses.at(-1) !== node.negated;
    }
    case 'list': {
      let current = directory;
      let status = true;
      for (const { operator, node: part } of [{ operator: ';' as const, node: node.first }, ...node.rest]) {
        if ((operator === '&&' && !status) || (operator === '||' && status)) continue;
        if (part.kind === 'cd') current = enterDirectory(current, part.directory);
        status = expectRecording(part, current, expand, seen);
      }
      return status;
    }
  }
}

function expectCommand(
  node: Extract<CommandNode, { kind: 'command' }>,
  directory: string,
  expand: ExpandPattern,
  seen: Expected,
): boolean {
  expectFiles(node.redirects, directory, seen);
  const script = node.words.find((word) => word.kind === 'script');
  if (script?.kind === 'script') return expectRecording(script.tree, directory, expand, seen);
  const words = node.words.flatMap((word) => texts(word, directory, expand));
  const inner = words.slice(WRAPPERS[words[0] ?? ''] ?? 0);
  const [program = '', ...args] = inner;
  seen.programs.push(JSON.stringify([program, directory, args]));
  return program !== 'no';
}

function texts(word: TreeWord, directory: string, expand: ExpandPattern): readonly string[] {
  if (word.kind !== 'glob') return [word.text];
  const names = expand(word.pattern, directory, false) ?? [];
  return names.length > 0 ? names : [word.pattern.replace(/\\(.)/gs, '$1')];
}

function expectFiles(redirects: readonly Redirect[], directory: string, seen: Expected): void {
  for (const redirect of redirects) {
    if (redirect.kind === 'file' && redirect.target.includes('.out'))
      seen.files.push(join(directory, redirect.target));
  }
}
