import { inject, injectable } from 'inversify';
import { cutBySection } from '../../domain/knowledge/document/section-cut.js';
import { Result } from '../../domain/result.js';
import { estimateTokens } from '../../domain/text/token-estimate.js';
import { executionFailed, invalidInput, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { ReadBudget } from '../file/read-budget.js';
import {
  type DocumentContent,
  DocumentLibrary,
  type LibraryDocument,
} from '../ports/knowledge/document-library.js';
import { cursorAt, offsetOf } from '../tool/page-cursor.js';
import { contentHash } from './content-hash.js';
import { FindDocument, type FoundDocument, sectionOf } from './find-document.js';
import { SelectDocuments, type SelectedDocuments } from './select-documents.js';

export interface GetContentQuery {
  readonly expression: string;
  readonly pattern?: string;
  readonly list_only?: boolean;
  /** Where a list continues. */
  readonly cursor?: string;
}

/** One result stays below the server's maximum, with space for the notes. */
const MAX_ANSWER_BYTES = 240 * 1024;
/** The same for a text result, as a share of its tokens. */
const SHARE_OF_TOKENS = 0.85;

/** The space in a result, and how it is measured. */
interface Room {
  readonly size: number;
  sizeOf(text: string): number;
}

/** Returns the text of documents: a single one as it is, several under their paths. */
@injectable()
export class GetContentHandler {
  constructor(
    @inject(SelectDocuments) private readonly select: SelectDocuments,
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(FindDocument) private readonly find: FindDocument,
    @inject(ReadBudget) private readonly budget: Pick<ReadBudget, 'tokens'>,
  ) {}

  /** `asText`: the result is read as text, which costs tokens. */
  async handle(query: GetContentQuery, asText = false): Promise<Result<string, ToolError>> {
    const room = asText
      ? { size: Math.floor(this.budget.tokens * SHARE_OF_TOKENS), sizeOf: estimateTokens }
      : { size: MAX_ANSWER_BYTES, sizeOf: byteLength };
    const { expression, pattern, list_only = false, cursor } = query;
    const isName = pattern === undefined && !this.select.isName(expression);
    const found = isName && !list_only ? await this.find.handle(expression) : undefined;
    if (found?.success === false) return found;
    if (found?.success) return this.#one(found.value, room);
    const offset = offsetOf(cursor);
    if (!offset.success) return toolFailure(invalidInput([problemWithCursor(offset.error)]));
    const selected = await this.select.handle(expression, pattern, offset.value);
    if (!selected.success) return selected;
    if (selected.value.documents.length === 0) return toolFailure(nothingFound(query));
    return list_only ? this.#list(selected.value, offset.value) : this.#texts(selected.value, room);
  }

  async #one({ document, anchor }: FoundDocument, room: Room): Promise<Result<string, ToolError>> {
    const content = await this.library.read(document);
    if (!content.success) return toolFailure(executionFailed(content.error.message));
    if (anchor === undefined) return Result.ok(cutToFit(document, content.value, room).text);
    const section = sectionOf(content.value, anchor, document.shownPath);
    if (!section.success) return toolFailure(executionFailed(section.error, { type: section.errorType }));
    return Result.ok(section.value);
  }

  async #list({ documents, total }: SelectedDocuments, offset: number): Promise<Result<string, ToolError>> {
    const entries = await Promise.all(documents.map((document) => this.#entry(document)));
    const shown = offset + documents.length;
    const page = total > shown ? { truncated: true, next_cursor: cursorAt(shown), total } : undefined;
    const list = { documents: entries, total, truncated: total > shown };
    return Result.ok(
      JSON.stringify(page === undefined ? list : { ...list, next_cursor: page.next_cursor }, undefined, 1),
      page && { page },
    );
  }

  async #entry(document: LibraryDocument) {
    const { category, path, shownPath, size, uri } = document;
    const content = await this.library.read(document);
    const about = content.success
      ? { title: content.value.title, content_hash: await contentHash(content.value.text) }
      : { problem: content.error.message };
    return {
      name: `${category.name}/${path}`,
      path: shownPath,
      ...(uri !== undefined && { uri }),
      size,
      ...about,
    };
  }

  async #texts(
    { documents, total }: SelectedDocuments,
    { size, sizeOf }: Room,
  ): Promise<Result<string, ToolError>> {
    const [only] = documents;
    const pieces: string[] = [];
    let room = size;
    for (const [index, document] of documents.entries()) {
      const content = await this.library.read(document);
      if (!content.success && documents.length === 1) {
        return toolFailure(executionFailed(content.error.message));
      }
      const heading = document === only && total === 1 ? '' : `===== ${document.shownPath} =====\n\n`;
      const body = content.success
        ? cutToFit(document, content.value, { size: room, sizeOf })
        : notice(content.error.message);
      pieces.push(heading + body.text);
      room -= sizeOf(heading) + sizeOf(body.text);
      if (body.cut) {
        pieces.push(...leftOut(documents.slice(index + 1)));
        break;
      }
    }
    if (total > documents.length) {
      pieces.push(
        `[${total} documents match and ${documents.length} are shown at most. Use a narrower pattern.]`,
      );
    }
    return Result.ok(pieces.join('\n\n'));
  }
}

function cutToFit(document: LibraryDocument, { text, outline }: DocumentContent, { size, sizeOf }: Room) {
  const { text: kept, left } = cutBySection(text, outline.sections, size, sizeOf);
  if (left === undefined) return { text, cut: false };
  // A first section that is too long on its own is cut after a line.
  const shown = kept === '' ? firstLines(text, size, sizeOf) : kept;
  const line = shown.split('\n').length - (shown.endsWith('\n') ? 1 : 0);
  const next =
    kept === '' || left.next === undefined
      ? ''
      : ` It continues at line ${left.next.line}, "${left.next.heading}".`;
  const read = `read_file ${JSON.stringify({ path: document.shownPath, offset: line })}`;
  const note = `[Cut: ${left.sections} of ${left.of} sections of ${document.shownPath} are left out.${next} Read on with ${read}, or search for the section.]`;
  return { text: `${shown}\n\n${note}`, cut: true };
}

function firstLines(text: string, size: number, sizeOf: Room['sizeOf']): string {
  const share = Math.min(1, size / Math.max(1, sizeOf(text)));
  const end = text.lastIndexOf('\n', Math.floor(text.length * share * 0.9));
  return end < 0 ? '' : text.slice(0, end + 1);
}

function leftOut(documents: readonly LibraryDocument[]): readonly string[] {
  if (documents.length === 0) return [];
  const names = documents.map(({ category, path }) => `${category.name}/${path}`);
  return [`[Left out because the answer is full; ask for each separately: ${names.join(', ')}]`];
}

function problemWithCursor(issue: string) {
  const hint = 'Leave it out to start at the beginning.';
  return { parameter_name: 'cursor', issue, expected: 'next_cursor of the page before', received: '', hint };
}

function notice(message: string) {
  return { text: `[${message}]`, cut: false };
}

function nothingFound({ expression, pattern }: GetContentQuery) {
  const asked = pattern === undefined ? expression : `${expression} with ${pattern}`;
  return executionFailed(
    `No document matches "${asked.slice(0, 200)}". Call it with the category alone and list_only for what there is.`,
    { type: 'NotFoundError' },
  );
}

function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7ff) bytes += 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}
