import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../../../state/errno.js';

/** A line of an airlock's log: what came through it, or the tips that the user has taken over. */
interface PassedLine {
  readonly commits?: readonly string[];
  readonly adopted?: readonly string[];
}

const MAX_LOG = 256 * 1024 * 1024;

/**
 * The commits that commands made, in any workspace of this user: they keep their names in clones and other worktrees.
 * They are nobody's own work until the user takes them over.
 */
export class PassedCommits {
  readonly #passed = new Set<string>();
  readonly #adopted = new Set<string>();
  /** How much of each log was read. */
  readonly #read = new Map<string, number>();

  /** `folder`: the airlocks' in the server's state. */
  constructor(private readonly folder: string) {}

  /** Takes in what was written since. Fails where a log cannot be read: then nothing is known to be the user's. */
  async refresh(): Promise<void> {
    for (const name of await foldersIn(this.folder)) {
      const log = join(this.folder, name, 'passed.jsonl');
      const size = await sizeOf(log);
      const before = this.#read.get(log) ?? 0;
      if (size === before) continue;
      if (size > MAX_LOG) throw new Error(`${log} has more than ${MAX_LOG} bytes.`);
      // A line that is still being written, or that a kill cut short, was never followed by a move of refs.
      const text = await readFile(log);
      const end = text.lastIndexOf('\n') + 1;
      for (const line of text
        .subarray(size < before ? 0 : before, end)
        .toString('utf8')
        .split('\n'))
        if (line !== '') this.#take(JSON.parse(line));
      this.#read.set(log, end);
    }
  }

  isUsers(commit: string): boolean {
    return !this.#passed.has(commit) || this.#adopted.has(commit);
  }

  #take({ commits = [], adopted = [] }: PassedLine): void {
    for (const commit of commits) this.#passed.add(commit);
    for (const commit of adopted) this.#adopted.add(commit);
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return 0;
    throw error;
  }
}
