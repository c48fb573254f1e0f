import { join, relative } from 'node:path';
import { entriesIn, readRegularFile } from '../git-files.js';
import { firstLine } from '../git-pointers.js';
import type { ObjectReader } from '../object-reader.js';
import type { SeenRepositories } from '../repository-head.js';
import { headOf, type Repository, type RepositoryHead, repositoryAt } from '../repository-head.js';

const MAX_TIPS = 200;
const MAX_FILES = 5_000;
const MAX_PACKED_REFS = 16 * 1024 * 1024;
const MAX_KEPT = 10_000;
const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\b/;

/** Which commits of before the first command have a path: HEAD's, only some ref's, or none. */
type FirstTracking = 'in HEAD' | 'elsewhere' | 'nowhere';

/** The commits that a repository's refs stood for before the first command ran: what they lead to is no agent's. */
export class FirstCommits {
  /** By the folder that has the refs, which worktrees share. */
  #tips: Map<string, readonly string[]> | undefined;
  /** By the folder with the files and the one with HEAD: a command can make a `.git` that leads to another's. */
  readonly #heads = new Map<string, string>();
  readonly #tracking = new Map<string, FirstTracking>();

  constructor(private readonly reader: ObjectReader) {}

  /** Only the first call counts: repositories that come later may be an agent's. */
  remember(seen: SeenRepositories): void {
    if (this.#tips !== undefined) return;
    this.#tips = new Map();
    for (const entry of seen.entries) {
      const repository = entry.endsWith('/.git') ? repositoryAt(entry, seen.folders) : undefined;
      if (repository === undefined) continue;
      const { common } = repository;
      const head = headOf(repository)?.commit;
      if (head !== undefined) this.#heads.set(keyOf(repository), head);
      const known = this.#tips.get(common) ?? refsIn(common);
      const tips = head === undefined ? known : [head, ...known];
      this.#tips.set(common, [...new Set(tips)].slice(0, MAX_TIPS));
    }
  }

  of({ common }: Repository): readonly string[] {
    return this.#tips?.get(common) ?? [];
  }

  /** For absolute paths; what cannot be told counts as nowhere. */
  async tracking(
    repository: Repository,
    store: RepositoryHead,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, FirstTracking>> {
    const key = (path: string): string => `${keyOf(repository)}\0${path}`;
    const unknown = paths.filter((path) => !this.#tracking.has(key(path)));
    const tips = this.of(repository);
    if (unknown.length > 0) {
      if (this.#tracking.size > MAX_KEPT) this.#tracking.clear();
      const asked = unknown.filter((path) => !path.includes('\n'));
      const input = asked
        .flatMap((path) => tips.map((tip) => `${tip}:${relative(repository.top, path)}\n`))
        .join('');
      const text = await this.reader.ask(store, ['cat-file', '--batch-check'], { input });
      if (text === undefined) return new Map();
      const found = text.split('\n').map((line) => / blob \d+$/.test(line));
      const head = tips.indexOf(this.#heads.get(keyOf(repository)) ?? '');
      for (const path of unknown) this.#tracking.set(key(path), 'nowhere');
      for (const [index, path] of asked.entries()) {
        const row = found.slice(index * tips.length, (index + 1) * tips.length);
        if (row.includes(true)) this.#tracking.set(key(path), row[head] === true ? 'in HEAD' : 'elsewhere');
      }
    }
    return new Map(paths.map((path) => [path, this.#tracking.get(key(path)) ?? 'nowhere']));
  }
}

function keyOf({ top, own }: Repository): string {
  return `${top}\0${own}`;
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
