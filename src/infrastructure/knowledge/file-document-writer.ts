import { contentHash } from '../../application/knowledge/content-hash.js';
import type { FileWork } from '../../application/ports/file/file-work.js';
import type { ChangedMeanwhile, DocumentWriter } from '../../application/ports/knowledge/document-writer.js';
import type { FileError } from '../../domain/file/file-error.js';
import type { Category } from '../../domain/knowledge/document/category.js';
import { Result } from '../../domain/result.js';
import type { FolderTools } from '../file/guarded-folder.js';
import { CategoryFolder } from './category-folder.js';

const MAX_REPLACED_BYTES = 64 * 1024 * 1024;
const DONE = Result.ok<void>(undefined);

/** Writes documents where the library finds them. */
export class FileDocumentWriter implements DocumentWriter {
  constructor(
    private readonly workspace: string,
    private readonly tools: FolderTools,
  ) {}

  async create(category: Category, path: string, content: string, work: FileWork) {
    const folder = this.#folder(category);
    const made = await folder.files.make(work);
    if (!made.success) return made;
    const options = { mode: 'create', createParents: true } as const;
    const written = await folder.files.write(folder.absolute(path), content, options, work);
    return written.success ? DONE : written;
  }

  async replace(
    category: Category,
    path: string,
    content: string,
    ifMatch: string | undefined,
    work: FileWork,
  ): Promise<Result<void, FileError | ChangedMeanwhile>> {
    const folder = this.#folder(category);
    const bytes = new TextEncoder().encode(content);
    // The hash is compared while every other writer of the file waits: of two with the same hash, one
    // succeeds.
    const updated = await folder.files.update<ChangedMeanwhile>(
      folder.absolute(path),
      MAX_REPLACED_BYTES,
      async (current) => {
        const hash = ifMatch === undefined ? undefined : await contentHash(current);
        return hash === ifMatch ? Result.ok(bytes) : Result.failure(changed(hash ?? ''), 'ConflictError');
      },
      work,
    );
    return updated.success ? DONE : updated;
  }

  async remove(category: Category, path: string, work: FileWork) {
    const folder = this.#folder(category);
    const info = await folder.files.info(folder.absolute(path), false);
    if (!info.success) return info;
    const removed = await folder.files.remove(folder.absolute(path), work);
    return removed.success ? DONE : removed;
  }

  #folder(category: Category): CategoryFolder {
    return new CategoryFolder(category, this.workspace, this.tools);
  }
}

function changed(hash: string): ChangedMeanwhile {
  return {
    kind: 'changed-meanwhile',
    message: `The document was changed since you read it: its content hash is ${hash} now. Read it again, merge, and retry with that hash.`,
  };
}
