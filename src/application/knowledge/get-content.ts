import { inject, injectable } from 'inversify';
import { cutBySection } from '../../domain/knowledge/document/section-cut.js';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import {
  type DocumentContent,
  DocumentLibrary,
  type LibraryDocument,
} from '../ports/knowledge/document-library.js';
import { contentHash } from './content-hash.js';
import { SelectDocuments, type SelectedDocuments } from './select-documents.js';

export interface GetContentQuery {
  readonly expression: string;
  readonly pattern?: string;
  readonly list_only?: boolean;
}

/** One answer stays below what the server sends at once, with room for the notes. */
const MAX_ANSWER_BYTES = 240 * 1024;

/** The text of documents: one as it is, several under their paths. */
@injectable()
export class GetContentHandler {
  constructor(
    @inject(SelectDocuments) private readonly select: SelectDocuments,
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
  ) {}

  async handle(query: GetContentQuery): Promise<Result<string, ToolError>> {
    const selected = await this.select.handle(query.expression, query.pattern);
    if (!selected.success) return selected;
    if (selected.value.documents.length === 0) return toolFailure(nothingFound(query));
    return query.list_only === true ? this.#list(selected.value) : this.#texts(selected.value);
  }

  async #list({ documents, total }: SelectedDocuments): Promise<Result<string, ToolError>> {
    const entries = await Promise.all(documents.map((document) => this.#entry(document)));
    return Result.ok(
      JSON.stringify({ documents: entries, total, truncated: total > documents.length }, undefined, 1),
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

  async #texts({ documents, total }: SelectedDocuments): Promise<Result<string, ToolError>> {
    const [only] = documents;
    const pieces: string[] = [];
    let room = MAX_ANSWER_BYTES;
    for (const [index, document] of documents.entries()) {
      const content = await this.library.read(document);
      if (!content.success && documents.length === 1) {
        return toolFailure(executionFailed(content.error.message));
      }
      const heading = document === only && total === 1 ? '' : `===== ${document.shownPath} =====\n\n`;
      const body = content.success ? cutToFit(document, content.value, room) : notice(content.error.message);
      pieces.push(heading + body.text);
      room -= byteLength(heading) + byteLength(body.text);
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

function cutToFit(document: LibraryDocument, { text, outline }: DocumentContent, room: number) {
  const { text: kept, left } = cutBySection(text, outline.sections, room, byteLength);
  if (left === undefined) return { text, cut: false };
  const next =
    left.next === undefined ? '' : ` It goes on at line ${left.next.line}, "${left.next.heading}".`;
  const note = `[Cut: ${left.sections} of ${left.of} sections of ${document.shownPath} are left out.${next} Read the rest with read_file from that line, or search for the section.]`;
  return { text: `${kept}\n\n${note}`, cut: true };
}

function leftOut(documents: readonly LibraryDocument[]): readonly string[] {
  if (documents.length === 0) return [];
  const names = documents.map(({ category, path }) => `${category.name}/${path}`);
  return [`[Left out for want of room, ask for them by themselves: ${names.join(', ')}]`];
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
