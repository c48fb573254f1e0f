import { inject, injectable } from 'inversify';
import type { FileError } from '../../domain/file/file-error.js';
import { Instruction } from '../../domain/instruction.js';
import type { Category } from '../../domain/knowledge/document/category.js';
import { parseDocumentName } from '../../domain/knowledge/document/document-name.js';
import { nearestNames } from '../../domain/nearest-names.js';
import { compilePattern } from '../../domain/permission/path/path-pattern.js';
import { Result } from '../../domain/result.js';
import {
  executionFailed,
  invalidInput,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../domain/tool/tool-error.js';
import type { FileWork } from '../ports/file/file-work.js';
import { DocumentLibrary, type LibraryDocument } from '../ports/knowledge/document-library.js';
import { type ChangedMeanwhile, DocumentWriter } from '../ports/knowledge/document-writer.js';
import { contentHash } from './content-hash.js';
import { KnowledgeSettings } from './knowledge-settings.js';

export interface DocumentPlace {
  readonly category_dir: string;
  readonly name: string;
}

export type WriteDocumentCommand =
  | (DocumentPlace & { readonly action: 'create'; readonly content: string })
  | (DocumentPlace & { readonly action: 'update'; readonly content: string; readonly if_match?: string })
  | (DocumentPlace & { readonly action: 'delete' });

export interface DocumentMetadata {
  readonly category: string;
  readonly name: string;
  readonly path: string;
  readonly uri?: string;
  readonly title?: string;
  readonly size: number;
  readonly modified: string;
  readonly content_hash?: string;
}

@injectable()
export class WriteDocumentHandler {
  constructor(
    @inject(DocumentWriter) private readonly writer: DocumentWriter,
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
  ) {}

  async handle(command: WriteDocumentCommand, work: FileWork): Promise<Result<DocumentMetadata, ToolError>> {
    const category = this.#category(command.category_dir);
    if (!category.success) return category;
    const path = parseDocumentName(command.name);
    if (!path.success) return toolFailure(invalidInput([problemWithName(command.name, path.error)]));
    if (command.action === 'create' && !isShown(category.value, path.value)) {
      return toolFailure(invalidInput([problemWithName(command.name, hidden(category.value, path.value))]));
    }
    const before = await this.library.refresh(category.value, path.value);
    const done = await this.#write(command, category.value, path.value, work);
    if (!done.success) return toolFailure(explain(done.error));
    const after = await this.library.refresh(category.value, path.value);
    const document = after ?? before;
    if (document === undefined)
      return toolFailure(executionFailed(`${path.value} was changed by another process.`));
    return Result.ok(await this.#describe(document, after !== undefined));
  }

  /** The path of an existing or new document, for the policy; undefined if it cannot have one. */
  pathOf({ category_dir, name }: DocumentPlace): string | undefined {
    const category = this.#category(category_dir);
    const path = parseDocumentName(name);
    return category.success && path.success ? `${tidyFolder(category.value.dir)}/${path.value}` : undefined;
  }

  /** A category by its name, or by its directory as written in the settings. */
  #category(wanted: string): Result<Category, ToolError> {
    const plain = tidyFolder(wanted);
    const { categories } = this.settings;
    const found =
      categories.find(({ name }) => name === wanted) ??
      categories.find(({ dir }) => tidyFolder(dir) === plain);
    if (found !== undefined) return Result.ok(found);
    const names = categories.map(({ name }) => name);
    const near = nearestNames(wanted, names);
    const hint =
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ') || 'none'}.`;
    const message = `There is no category "${wanted.slice(0, 100)}". ${hint}`;
    return toolFailure(executionFailed(message, { type: 'NotFoundError' }));
  }

  #write(command: WriteDocumentCommand, category: Category, path: string, work: FileWork) {
    switch (command.action) {
      case 'create':
        return this.writer.create(category, path, command.content, work);
      case 'update':
        return this.writer.replace(category, path, command.content, command.if_match, work);
      case 'delete':
        return this.writer.remove(category, path, work);
    }
  }

  async #describe(document: LibraryDocument, exists: boolean): Promise<DocumentMetadata> {
    const { category, path, shownPath, uri, size, modifiedMs } = document;
    const content = exists ? await this.library.read(document) : undefined;
    return {
      category: category.name,
      name: path,
      path: shownPath,
      ...(uri !== undefined && { uri }),
      ...(content?.success && {
        title: content.value.title,
        content_hash: await contentHash(content.value.text),
      }),
      size,
      modified: new Date(modifiedMs).toISOString(),
    };
  }
}

/** A document that the category's own patterns exclude could never be found again. */
function isShown({ patterns }: Category, path: string): boolean {
  return patterns.some((pattern) => {
    const compiled = compilePattern(pattern);
    return compiled.success && compiled.value.matches(path);
  });
}

function hidden({ name, patterns }: Category, path: string): string {
  return `The category ${name} would not show ${path}: its documents match ${patterns.join(', ')}.`;
}

function tidyFolder(folder: string): string {
  return folder.replace(/^\.\//, '').replace(/\/+$/, '');
}

function explain(error: FileError | ChangedMeanwhile): ToolError {
  switch (error.kind) {
    case 'changed-meanwhile':
      return executionFailed(error.message, {
        type: 'ConflictError',
        instruction: Instruction.suggestRemediation('reading the document again'),
      });
    case 'already-exists':
      return executionFailed(`${error.path} exists already. Use update_document to replace it.`, {
        type: 'AlreadyExistsError',
      });
    case 'not-found':
      return executionFailed(error.message, {
        type: 'NotFoundError',
        instruction: Instruction.askForClarification('which document is meant'),
      });
    case 'outside':
    case 'denied':
      return permissionDenied(
        'DENIED_PATH',
        'Documents can only be written in the directory of their category.',
      );
    default:
      return executionFailed(error.message);
  }
}

function problemWithName(received: string, issue: string) {
  return {
    parameter_name: 'name',
    issue,
    expected: 'a name of 1 to 100 characters within the category',
    received: received.slice(0, 100),
    hint: 'Omit directories that are not below the category.',
  };
}
