import { join, relative, resolve, sep } from 'node:path';
import type { FileError } from '../../domain/file/file-error.js';
import { type Category, isHiddenName, MAX_DEPTH } from '../../domain/knowledge/document/category.js';
import { Result } from '../../domain/result.js';
import { type FolderTools, GuardedFolder } from '../file/guarded-folder.js';

export interface FileState {
  readonly size: number;
  readonly modifiedMs: number;
}

export interface FolderScan {
  readonly files: ReadonlyMap<string, FileState>;
  readonly folders: ReadonlySet<string>;
  /** Files that exist and were excluded, by path. */
  readonly leftOut: ReadonlyMap<string, string>;
}

const MAX_FILES = 50_000;

/** The directory of one category: the only part of the disk accessed for it. */
export class CategoryFolder {
  readonly root: string;
  readonly #shownRoot: string;
  /** All its files are accessed through this. */
  readonly files: GuardedFolder;

  constructor(
    readonly category: Category,
    workspace: string,
    tools: FolderTools,
  ) {
    this.root = resolve(workspace, category.dir);
    const short = relative(workspace, this.root);
    const shown = short === '..' || short.startsWith(`..${sep}`) ? this.root : short || '.';
    this.#shownRoot = shown.replaceAll(sep, '/');
    const show = (path: string) => this.shown(path);
    this.files = new GuardedFolder(this.root, { links: { mayNotLeave: workspace }, show }, tools);
  }

  absolute(path: string): string {
    return join(this.root, path);
  }

  /** The path of a file in results: relative to the workspace if it is inside. */
  shown(path: string): string {
    return path === '' ? this.#shownRoot : `${this.#shownRoot}/${path}`;
  }

  /** Lists every visible file. A missing directory has none. */
  async scan(): Promise<Result<FolderScan, FileError>> {
    const files = new Map<string, FileState>();
    const folders = new Set<string>();
    const leftOut = new Map<string, string>();
    const visible = (name: string) => !isHiddenName(name);
    const walked = await this.files.walk({ maxDepth: MAX_DEPTH, times: true, enter: () => visible });
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

  /** undefined: it cannot be a document. */
  async look(path: string): Promise<Result<FileState, FileError> | undefined> {
    const segments = path.split('/');
    if (segments.length > MAX_DEPTH || segments.some(isHiddenName)) return undefined;
    const info = await this.files.info(this.absolute(path));
    if (!info.success) return info;
    const { kind, size, modifiedMs } = info.value;
    return kind === 'file' ? Result.ok({ size, modifiedMs }) : undefined;
  }

  /** A link counts if it leads to a file within the directory. */
  async #takeOther(path: string, files: Map<string, FileState>, leftOut: Map<string, string>): Promise<void> {
    const found = await this.look(path);
    if (found?.success) files.set(path, found.value);
    else
      leftOut.set(path, found?.error.message ?? 'It is not a file, and links to folders are not followed.');
  }
}
