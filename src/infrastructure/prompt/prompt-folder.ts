import { join } from 'node:path';
import type { FileError } from '../../domain/file/file-error.js';
import { Result } from '../../domain/result.js';
import { type FolderTools, GuardedFolder } from '../file/guarded-folder.js';

export type PromptReading =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly why: string };

const MAX_PROMPT_BYTES = 1024 * 1024;

/**
 * One directory of prompts: the only part of the disk accessed for it. What leads out of it is not read, nor
 * is a directory that is itself a link: an untrusted workspace could point it anywhere.
 */
export class PromptFolder {
  readonly #files: GuardedFolder;

  constructor(
    readonly root: string,
    tools: FolderTools,
    /** True if shipped with the server. */
    ofServer: boolean,
  ) {
    const show = (path: string) => join(root, path);
    this.#files = new GuardedFolder(root, { links: 'none', ofServer, show }, tools);
  }

  absolute(name: string): string {
    return join(this.root, name);
  }

  /** The names that could be prompts. A missing directory has none. */
  async list(): Promise<Result<readonly string[], FileError>> {
    const walked = await this.#files.walk({ maxDepth: 1 });
    if (!walked.success) return walked.error.kind === 'not-found' ? Result.ok([]) : walked;
    const names: string[] = [];
    for await (const batch of walked.value) {
      for (const { name, nameable } of batch) if (nameable && name.endsWith('.json')) names.push(name);
    }
    return Result.ok(names);
  }

  async read(name: string): Promise<PromptReading> {
    const range = { offset: 0, length: MAX_PROMPT_BYTES };
    const read = await this.#files.read(this.absolute(name), range);
    if (!read.success) {
      const { kind, message } = read.error;
      return kind === 'not-found' ? { kind: 'gone' } : { kind: 'refused', why: message };
    }
    const { bytes, info } = read.value;
    if (info.size <= MAX_PROMPT_BYTES) return { kind: 'bytes', bytes };
    return {
      kind: 'refused',
      why: `A prompt has at most ${MAX_PROMPT_BYTES} bytes, and this file has ${info.size}. Make it shorter.`,
    };
  }
}
