import { join } from 'node:path';
import { entriesIn, readRegularFile } from '../git-files.js';
import { firstLine } from '../git-pointers.js';
import type { SeenRepositories } from '../repository-head.js';
import { headOf, type Repository, repositoryAt } from '../repository-head.js';

const MAX_TIPS = 200;
const MAX_FILES = 5_000;
const MAX_PACKED_REFS = 16 * 1024 * 1024;
const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\b/;

/** The commits that a repository's refs stood for before the first command ran: what they lead to is no agent's. */
export class FirstCommits {
  /** By the folder that has the refs, which worktrees share. */
  #tips: Map<string, readonly string[]> | undefined;

  /** Only the first call counts: repositories that come later may be an agent's. */
  remember(seen: SeenRepositories): void {
    if (this.#tips !== undefined) return;
    this.#tips = new Map();
    for (const entry of seen.entries) {
      const repository = entry.endsWith('/.git') ? repositoryAt(entry, seen.folders) : undefined;
      if (repository === undefined) continue;
      const { common } = repository;
      const head = headOf(repository)?.commit;
      const known = this.#tips.get(common) ?? refsIn(common);
      const tips = head === undefined ? known : [head, ...known];
      this.#tips.set(common, [...new Set(tips)].slice(0, MAX_TIPS));
    }
  }

  of({ common }: Repository): readonly string[] {
    return this.#tips?.get(common) ?? [];
  }
}

function refsIn(common: string): readonly string[] {
  return [...looseRefs(join(common, 'refs')), ...packedRefs(common)];
}

function looseRefs(top: string): readonly string[] {
  const names: string[] = [];
  const folders = [top];
  let files = 0;
  for (let folder = folders.pop(); folder !== undefined && files < MAX_FILES; folder = folders.pop()) {
    for (const entry of entriesIn(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else {
        files += 1;
        const name = NAME.exec(firstLine(path) ?? '')?.[0];
        if (name !== undefined) names.push(name);
      }
    }
  }
  return names;
}

function packedRefs(common: string): readonly string[] {
  const text = readRegularFile(join(common, 'packed-refs'), MAX_PACKED_REFS) ?? '';
  return text.split('\n').flatMap((line) => NAME.exec(line)?.[0] ?? []);
}
