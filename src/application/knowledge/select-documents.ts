import { inject, injectable } from 'inversify';
import { parseContentExpression } from '../../domain/knowledge/document/content-expression.js';
import { type Selection, selectContent } from '../../domain/knowledge/document/content-selection.js';
import { hasExtension } from '../../domain/knowledge/document/document-name.js';
import { compilePattern, type PathPattern } from '../../domain/permission/path/path-pattern.js';
import { Result } from '../../domain/result.js';
import { executionFailed, invalidInput, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { DocumentLibrary, type LibraryDocument } from '../ports/knowledge/document-library.js';
import { KnowledgeSettings } from './knowledge-settings.js';

const MAX_DOCUMENTS = 100;

export interface SelectedDocuments {
  readonly documents: readonly LibraryDocument[];
  /** The number of matching documents, which may be more than were returned. */
  readonly total: number;
}

/** Resolves an expression to documents: each once, in the order of first appearance. */
@injectable()
export class SelectDocuments {
  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
  ) {}

  /** True for a category or a collection, which take precedence over documents of the same name. */
  isName(expression: string): boolean {
    const name = expression.trim();
    const { categories, collections } = this.settings;
    return Object.hasOwn(collections, name) || categories.some((category) => category.name === name);
  }

  async handle(
    expression: string,
    pattern?: string,
    offset = 0,
  ): Promise<Result<SelectedDocuments, ToolError>> {
    const parts = parseContentExpression(expression, pattern);
    if (!parts.success) return toolFailure(invalidInput([problemWith(expression, parts.error)]));
    const selections = selectContent(parts.value, this.settings);
    if (!selections.success) {
      return toolFailure(executionFailed(selections.error, { type: selections.errorType }));
    }
    const found = new Map<string, LibraryDocument>();
    for (const selection of selections.value) {
      const documents = await this.#matching(selection);
      if (!documents.success) return documents;
      for (const document of documents.value) {
        const key = `${document.category.name}/${document.path}`;
        if (!found.has(key)) found.set(key, document);
      }
    }
    return Result.ok({
      documents: [...found.values()].slice(offset, offset + MAX_DOCUMENTS),
      total: found.size,
    });
  }

  async #matching(selection: Selection): Promise<Result<readonly LibraryDocument[], ToolError>> {
    const listed = await this.library.list(selection.category);
    if (!listed.success) return toolFailure(executionFailed(listed.error.message, { type: 'NotFoundError' }));
    const matched: LibraryDocument[] = [];
    for (const source of selection.patterns) {
      const compiled = compilePattern(source);
      if (!compiled.success) return toolFailure(invalidInput([problemWith(source, compiled.error)]));
      const direct = matching(listed.value, compiled.value);
      matched.push(
        ...(direct.length === 0 && selection.explicit ? withExtension(listed.value, source) : direct),
      );
    }
    return Result.ok(matched);
  }
}

function matching(documents: readonly LibraryDocument[], pattern: PathPattern): readonly LibraryDocument[] {
  return documents.filter(({ path }) => pattern.matches(path));
}

function withExtension(documents: readonly LibraryDocument[], source: string): readonly LibraryDocument[] {
  if (hasExtension(source)) return [];
  const compiled = compilePattern(`${source}.*`);
  return compiled.success ? matching(documents, compiled.value) : [];
}

function problemWith(received: string, issue: string) {
  return {
    parameter_name: 'expression',
    issue,
    expected: 'name[/pattern(+pattern)*], several of them divided by commas',
    received: received.slice(0, 100),
    hint: 'Call get_project_config for the names of categories and collections.',
  };
}
