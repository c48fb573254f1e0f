import type { ServiceIdentifier } from 'inversify';
import type { FileError } from '../../../domain/file/file-error.js';
import type { Category } from '../../../domain/knowledge/document/category.js';
import type { Result } from '../../../domain/result.js';
import type { FileWork } from '../file/file-work.js';

/** The document is not what its writer believes it to be. */
export interface ChangedMeanwhile {
  readonly kind: 'changed-meanwhile';
  readonly message: string;
}

/**
 * Changes documents within the directory of their category only. Each change happens completely or not at
 * all.
 */
export interface DocumentWriter {
  /** Refuses a document that exists. */
  create(category: Category, path: string, content: string, work: FileWork): Promise<Result<void, FileError>>;
  /** Refuses a document that does not exist, or whose content hash is not `ifMatch`, if given. */
  replace(
    category: Category,
    path: string,
    content: string,
    ifMatch: string | undefined,
    work: FileWork,
  ): Promise<Result<void, FileError | ChangedMeanwhile>>;
  remove(category: Category, path: string, work: FileWork): Promise<Result<void, FileError>>;
}

export const DocumentWriter: ServiceIdentifier<DocumentWriter> = Symbol.for('castellan.DocumentWriter');
