import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** They run the file that is their first argument. */
const INTERPRETER =
  /(?:^|\/)(?:(?:ba|da|z|k|fi)?sh|node(?:js)?|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua)$/;
/** Words before a program that are none themselves. */
const PREFIX = /^(?:\w+=.*|exec|env|command|nohup|time|sudo|-.*)$/s;
/** What ends one command and begins another, and what quotes. */
const SEPARATORS = /[;&|()`{}<>\n]+/;
const BETWEEN = /[\s'"]+/;

/**
 * The files that a command line in a configuration of git would run: its programs, the scripts of interpreters, and
 * every file that can be run. More than the shell would find rather than less: quotes and variables are not followed.
 */
export function programsIn(value: string, worktree: string): readonly string[] {
  const found = new Set<string>();
  for (const command of value.replace(/^!/, '').split(SEPARATORS)) {
    const words = command.split(BETWEEN).filter((word) => word !== '' && !PREFIX.test(word));
    const [program, script] = words;
    if (program?.includes('/')) found.add(resolve(worktree, program));
    if (program !== undefined && script !== undefined && INTERPRETER.test(program))
      if (script.includes('/') || isFile(resolve(worktree, script))) found.add(resolve(worktree, script));
    for (const word of words) {
      const path = resolve(worktree, word);
      if (isFile(path, 0o111)) found.add(path);
    }
  }
  return [...found];
}

/** `bits`: any of them must be set. */
function isFile(path: string, bits = 0o777): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && (stats.mode & bits) !== 0;
  } catch {
    // Missing, closed, or a text that is no path.
    return false;
  }
}
