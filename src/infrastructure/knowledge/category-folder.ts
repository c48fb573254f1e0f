import { join, relative, resolve, sep } from 'node:path';
import type { FileAccess, SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import type { PolicySource } from '../../application/ports/permission/policy-source.js';
import type { FileError } from '../../domain/file/file-error.js';
import { type Category, isHiddenName, MAX_DEPTH } from '../../domain/knowledge/document/category.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import { Result } from '../../domain/result.js';

export interface FileState {
  readonly size: number;
  readonly modifiedMs: number;
}

export interface FolderScan {
  readonly files: ReadonlyMap<string, FileState>;
  readonly folders: ReadonlySet<string>;
  /** What is there and was left out, by path. */
  readonly leftOut: ReadonlyMap<string, string>;
}

const MAX_FILES = 50_000;
const NEVER = new AbortController().signal;

/** The folder of one category: the only part of the disk that is touched on its behalf. */
export class CategoryFolder {
  readonly root: string;
  readonly #shownRoot: string;
  #realRoot: string | undefined;

  constructor(
    readonly category: Category,
    private readonly workspace: string,
    private readonly files: SafeFileSystem,
    private readonly policies: PolicySource,
  ) {
    this.root = resolve(workspace, category.dir);
    const short = relative(workspace, this.root);
    const shown = short === '..' || short.startsWith(`..${sep}`) ? this.root : short || '.';
    this.#shownRoot = shown.replaceAll(sep, '/');
  }

  absolute(path: string): string {
    return join(this.root, path);
  }

  /** How answers show a file of it: relative to the workspace where it lies in it. */
  shown(path: string): string {
    return path === '' ? this.#shownRoot : `${this.#shownRoot}/${path}`;
  }

  /** Reading and writing within the folder, by the way it is named and by where it really is, as far as no rule denies it. */
  async access(signal: AbortSignal = NEVER): Promise<FileAccess> {
    this.#realRoot ??= await this.#findRealRoot();
    const roots = [this.root, this.#acceptedRoot()];
    const { policy } = this.policies.current();
    const isBelow = (path: string) => roots.some((root) => isInside(path, root));
    const display = (path: string) => this.shown(relative(this.root, path).replaceAll(sep, '/'));
    const guard = {
      mayRead: (path: string) => isBelow(path) && !policy.hides(path),
      mayWrite: (path: string) => isBelow(path) && !policy.preserves(path),
      mayReadIn: (folder: string) => {
        if (!isBelow(folder)) return () => false;
        const hides = policy.hidesIn(folder);
        return (name: string) => !hides(name);
      },
    };
    return { guard, signal, display };
  }

  /** Makes the folder itself where the settings name one that is not there yet. */
  async make(signal: AbortSignal): Promise<Result<number, FileError>> {
    const leadsHere = (path: string) => isInside(this.root, path);
    const guard = { mayRead: leadsHere, mayWrite: leadsHere };
    const { display } = await this.access();
    return this.files.makeDirectory(
      this.root,
      { parents: true },
      { guard, signal, ...(display && { display }) },
    );
  }

  /** Every visible file. A folder that is not there has none. */
  async scan(): Promise<Result<FolderScan, FileError>> {
    const files = new Map<string, FileState>();
    const folders = new Set<string>();
    const leftOut = new Map<string, string>();
    const access = await this.access();
    const visible = (name: string) => !isHiddenName(name);
    const walked = await this.files.walk(
      this.root,
      { maxDepth: MAX_DEPTH, times: true, enter: () => visible },
      access,
    );
    if (!walked.success) {
      return walked.error.kind === 'not-found' ? Result.ok({ files, folders, leftOut }) : walked;
    }
    for await (const batch of walked.value) {
      for (const { path, kind, times, nameable } of batch) {
        if (files.size >= MAX_FILES) {
          leftOut.set('', `The folder has more than ${MAX_FILES} files; the rest is left out.`);
          return Result.ok({ files, folders, leftOut });
        }
        if (isHiddenName(path.slice(path.lastIndexOf('/') + 1))) continue;
        if (kind === 'directory') {
          folders.add(path);
          continue;
        }
        if (!nameable) leftOut.set(path, 'Its name is not valid UTF-8.');
        else if (kind === 'file' && times !== undefined) files.set(path, times);
        else await this.#takeOther(path, files, leftOut);
      }
    }
    return Result.ok({ files, folders, leftOut });
  }

  /** undefined: it is nothing that could be a document. */
  async look(path: string): Promise<Result<FileState, FileError> | undefined> {
    const segments = path.split('/');
    if (segments.length > MAX_DEPTH || segments.some(isHiddenName)) return undefined;
    const info = await this.files.info(this.absolute(path), { followLinks: true }, await this.access());
    if (!info.success) return info;
    const { kind, size, modifiedMs } = info.value;
    return kind === 'file' ? Result.ok({ size, modifiedMs }) : undefined;
  }

  /** A link counts when it leads to a file within the folder. */
  async #takeOther(path: string, files: Map<string, FileState>, leftOut: Map<string, string>): Promise<void> {
    const found = await this.look(path);
    if (found?.success) files.set(path, found.value);
    else
      leftOut.set(path, found?.error.message ?? 'It is not a file, and links to folders are not followed.');
  }

  /** Inside the workspace a link could be anybody's: it must not lead out. Only trusted settings name a folder outside. */
  #acceptedRoot(): string {
    const real = this.#realRoot;
    if (real === undefined) return this.root;
    return isInside(real, this.workspace) || !isInside(this.root, this.workspace) ? real : this.root;
  }

  async #findRealRoot(): Promise<string | undefined> {
    const guard = { mayRead: () => true, mayWrite: () => false };
    const info = await this.files.info(this.root, { followLinks: true }, { guard, signal: NEVER });
    return info.success ? info.value.realPath : undefined;
  }
}
