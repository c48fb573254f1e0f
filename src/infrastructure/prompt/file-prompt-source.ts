import { basename, dirname } from 'node:path';
import type { PromptSource } from '../../application/ports/prompt/prompt-source.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import type { Prompt } from '../../domain/prompt/prompt.js';
import type { FolderTools } from '../file/guarded-folder.js';
import { FolderWatch } from '../knowledge/folder-watch.js';
import { readPromptFile } from './prompt-file.js';
import { PromptFolder } from './prompt-folder.js';

/**
 * Reads the JSON files of some directories; of two prompts with one name, the one in the later directory
 * wins.
 */
export class FilePromptSource implements PromptSource {
  readonly #good = new Map<string, Prompt>();
  readonly #problems = new Map<string, readonly FileProblem[]>();
  readonly #listeners = new Set<() => void>();
  readonly #watches = new Map<PromptFolder, FolderWatch>();
  readonly #folders: readonly PromptFolder[];
  readonly #forget: () => void;
  #loaded: Promise<void> | undefined;

  constructor(
    folders: readonly string[],
    tools: FolderTools,
    private readonly logger: Logger,
    private readonly shipped: readonly string[] = [],
  ) {
    this.#folders = folders.map((folder) => new PromptFolder(folder, tools, shipped.includes(folder)));
    // Another policy may hide a prompt that was read, or show one that was not.
    this.#forget = tools.policies.onChange(() => {
      for (const [folder, watch] of this.#watches) void this.#rescan(folder, watch);
    });
  }

  async list(): Promise<readonly Prompt[]> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    const byName = new Map<string, Prompt>();
    for (const { root } of this.#folders) {
      const inside = [...this.#good.keys()].filter((file) => dirname(file) === root).sort();
      for (const file of inside) {
        const prompt = this.#good.get(file);
        if (prompt !== undefined) byName.set(prompt.name, prompt);
      }
    }
    return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  problems(): readonly FileProblem[] {
    return [...this.#problems.values()].flat();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#forget();
    this.#listeners.clear();
    for (const watch of this.#watches.values()) watch.close();
  }

  async #load(): Promise<void> {
    for (const folder of this.#folders) {
      const { root } = folder;
      const watch = new FolderWatch(root, {
        changed: (path) => void this.#changed(folder, path),
        unclear: () => void this.#rescan(folder, watch),
        failed: (error) => this.logger.warn('A folder of prompts cannot be watched', { folder: root, error }),
      });
      this.#watches.set(folder, watch);
      // Watched first, so that a change during reading is seen twice rather than not at all.
      watch.follow(new Set());
      await this.#scan(folder);
    }
  }

  async #rescan(folder: PromptFolder, watch: FolderWatch): Promise<void> {
    watch.follow(new Set());
    await this.#scan(folder);
    for (const listener of this.#listeners) listener();
  }

  async #scan(folder: PromptFolder): Promise<void> {
    const found = await folder.list();
    if (!found.success) {
      this.logger.warn('A folder of prompts cannot be read', {
        folder: folder.root,
        reason: found.error.message,
      });
      return;
    }
    const known = [...this.#good.keys()].filter((file) => dirname(file) === folder.root);
    const names = new Set([...found.value, ...known.map((file) => basename(file))]);
    for (const name of names) await this.#take(folder, name);
  }

  async #changed(folder: PromptFolder, path: string): Promise<void> {
    if (path.includes('/') || !path.endsWith('.json')) return;
    const changed = await this.#take(folder, path);
    if (changed) for (const listener of this.#listeners) listener();
  }

  /** Returns true if the prompt is different now. */
  async #take(folder: PromptFolder, name: string): Promise<boolean> {
    const file = folder.absolute(name);
    const read = await folder.read(name);
    switch (read.kind) {
      case 'gone':
        this.#problems.delete(file);
        return this.#good.delete(file);
      case 'refused':
        this.#wrong('A prompt on disk is not read', file, [{ file, line: 1, column: 1, message: read.why }]);
        return this.#good.delete(file);
      case 'bytes':
        return this.#parse(file, read.bytes);
    }
  }

  #parse(file: string, bytes: Uint8Array): boolean {
    const problems: FileProblem[] = [];
    const read = readPromptFile(file, bytes, problems);
    if (read === undefined) {
      this.#wrong('A prompt on disk is wrong; the last good one stays', file, problems);
      return false;
    }
    this.#problems.delete(file);
    const prompt = this.shipped.includes(dirname(file)) ? { ...read, shipped: true } : read;
    const same = contentOf(this.#good.get(file)) === contentOf(prompt);
    this.#good.set(file, prompt);
    return !same;
  }

  #wrong(what: string, file: string, problems: readonly FileProblem[]): void {
    this.#problems.set(file, problems);
    this.logger.warn(what, { problems: problems.map(formatProblem) });
  }
}

/** Everything except positions: reformatting a file is not a change. */
function contentOf(prompt: Prompt | undefined): string {
  return JSON.stringify(prompt, (key, value: unknown) => (key === 'at' ? undefined : value)) ?? '';
}
