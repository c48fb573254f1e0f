import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../application/ports/logger.js';
import type { PromptSource } from '../../application/ports/prompt-source.js';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import type { Prompt } from '../../domain/prompt/prompt.js';
import { FolderWatch } from '../knowledge/folder-watch.js';
import { readPromptFile } from './prompt-file.js';

/** The JSON files of some folders; of two prompts with one name the later folder's counts. */
export class FilePromptSource implements PromptSource {
  readonly #good = new Map<string, Prompt>();
  readonly #problems = new Map<string, readonly FileProblem[]>();
  readonly #listeners = new Set<() => void>();
  readonly #watches: FolderWatch[] = [];
  #loaded: Promise<void> | undefined;

  constructor(
    private readonly folders: readonly string[],
    private readonly logger: Logger,
  ) {}

  async list(): Promise<readonly Prompt[]> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    const byName = new Map<string, Prompt>();
    for (const folder of this.folders) {
      const inside = [...this.#good.keys()].filter((file) => file.startsWith(join(folder, '/'))).sort();
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
    this.#listeners.clear();
    for (const watch of this.#watches) watch.close();
  }

  async #load(): Promise<void> {
    for (const folder of this.folders) {
      const watch = new FolderWatch(folder, {
        changed: (path) => void this.#changed(folder, path),
        unclear: () => void this.#rescan(folder, watch),
        failed: (error) => this.logger.warn('A folder of prompts cannot be watched', { folder, error }),
      });
      this.#watches.push(watch);
      // Watched first: what changes while it is read is seen twice rather than not at all.
      watch.follow(new Set());
      await this.#scan(folder);
    }
  }

  async #rescan(folder: string, watch: FolderWatch): Promise<void> {
    watch.follow(new Set());
    await this.#scan(folder);
    for (const listener of this.#listeners) listener();
  }

  async #scan(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      // What a link leads to is nobody's prompt.
      if (entry.isFile() && entry.name.endsWith('.json')) await this.#take(join(folder, entry.name));
    }
  }

  async #changed(folder: string, path: string): Promise<void> {
    if (path.includes('/') || !path.endsWith('.json')) return;
    const changed = await this.#take(join(folder, path));
    if (changed) for (const listener of this.#listeners) listener();
  }

  /** True where the prompt is another one now. */
  async #take(file: string): Promise<boolean> {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined) {
      this.#problems.delete(file);
      return this.#good.delete(file);
    }
    const problems: FileProblem[] = [];
    const prompt = await readPromptFile(file, bytes, problems);
    if (prompt === undefined) {
      this.#problems.set(file, problems);
      this.logger.warn('A prompt on disk is wrong; the last good one stays', {
        problems: problems.map(formatProblem),
      });
      return false;
    }
    this.#problems.delete(file);
    const same = JSON.stringify(this.#good.get(file)) === JSON.stringify(prompt);
    this.#good.set(file, prompt);
    return !same;
  }
}
