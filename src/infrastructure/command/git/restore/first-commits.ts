import { join } from 'node:path';
import { entriesIn, readRegularFile } from '../git-files.js';
import { firstLine } from '../git-pointers.js';
import { headOf, type Repository, repositoryAt } from '../repository-head.js';
import type { SeenRepositories } from '../tracked-secrets.js';

const MAX_TIPS = 200;
const MAX_FILES = 5_000;
const MAX_PACKED_REFS = 16 * 1024 * 1024;
const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\b/;

/** The commits that a repository's refs stood for before the first command ran: what they lead to is no agent's. */
export class FirstCommits {
  #tips: ReadonlyMap<string, readonly string[]> | undefined;

  /** Only the first call counts: repositories that come later may be an agent's. */
  remember(seen: SeenRepositories): void {
    if (this.#tips !== undefined) return;
    const tips = new Map<string, readonly string[]>();
    for (const entry of seen.entries) {
      const repository = entry.endsWith('/.git') ? repositoryAt(entry, seen.folders) : undefined;
      if (repository !== undefined) tips.set(repository.own, tipsOf(repository));
    }
    this.#tips = tips;
  }

  of({ own }: Repository): readonly string[] {
    return this.#tips?.get(own) ?? [];
  }
}

function tipsOf(repository: Repository): readonly string[] {
  const { common } = repository;
  const found = [headOf(repository)?.commit, ...looseRefs(join(common, 'refs')), ...packedRefs(common)];
  return [...new Set(found.filter((name) => name !== undefined))].slice(0, MAX_TIPS);
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
