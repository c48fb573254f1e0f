import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../process/process-starter.js';
import { SYSTEM_GIT } from './system-git.js';

/** Where the objects of a repository lie, and how long their names are. */
export interface ObjectStore {
  readonly objects: string;
  readonly format: 'sha1' | 'sha256';
}

interface AskOptions {
  readonly index?: string;
  /** Where the files lie, for what compares them. */
  readonly top?: string;
  readonly input?: string;
}

const PATIENCE_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Asks git about the objects of a repository without letting the repository say anything: git is told to work in an
 * empty repository of the server's own, so that no setting, hook, remote or replacement of the other one counts.
 */
export class ObjectReader {
  readonly #ready = new Set<string>();

  /** `folder`: a place in the server's state. */
  constructor(private readonly folder: string) {}

  /** The output; undefined where git failed, took too long or said too much. */
  async ask(
    store: ObjectStore,
    args: readonly string[],
    { index, top, input = '' }: AskOptions = {},
  ): Promise<string | undefined> {
    const git = SYSTEM_GIT.find((path) => existsSync(path));
    if (git === undefined) return undefined;
    const env = {
      GIT_DIR: this.#repository(store.format),
      GIT_OBJECT_DIRECTORY: store.objects,
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...(top !== undefined && { GIT_WORK_TREE: top }),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      HOME: '/',
      LC_ALL: 'C',
    };
    const { exitCode, stdout } = await runProgram(git, ['--literal-pathspecs', ...args], {
      cwd: top ?? '/',
      env,
      input,
      timeoutMs: PATIENCE_MS,
      maxBytes: MAX_BYTES,
    });
    return exitCode === 0 ? Buffer.from(stdout).toString('utf8') : undefined;
  }

  #repository(format: ObjectStore['format']): string {
    const folder = join(this.folder, format);
    if (this.#ready.has(format)) return folder;
    for (const part of ['objects', 'refs']) mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
    const version = format === 'sha1' ? 0 : 1;
    const extension = format === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n';
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(
      join(folder, 'config'),
      `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extension}`,
    );
    this.#ready.add(format);
    return folder;
  }
}
