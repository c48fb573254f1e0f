import { Result } from '../../domain/result.js';
import { shortLines } from '../../domain/text/short-lines.js';
import { callCancelled, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { OpenedFile } from '../ports/file/safe-file-system.js';
import type { TextFormats } from '../ports/file/text-formats.js';
import type { FileCall } from './file-call.js';
import { type FileContent, type ReadFileQuery, unreadable, withoutMark } from './file-content.js';
import { fileFailure } from './file-failure.js';
import { LineFeeds } from './line-feeds.js';
import { linePart } from './line-part.js';
import {
  countLines,
  fittingLines,
  longLine,
  longLineHint,
  shownLines,
  type TextPart,
  withHint,
} from './text-part.js';

const CHUNK = 1024 * 1024;
/** The longest character of any encoding, minus one byte. */
const MAX_REST = 3;

const TOO_LONG_END =
  'The file continues after this: the requested lines do not fit one result. Request fewer.';

interface Start {
  readonly byte: number;
  /** Lines before it; undefined if counted from the end. */
  readonly line: number | undefined;
}

/**
 * Reads a file too large for memory: line feeds are counted in its bytes, and only the requested part is
 * decoded.
 */
export class LargeText {
  readonly #feeds: LineFeeds;

  constructor(
    private readonly file: OpenedFile,
    private readonly formats: TextFormats,
    head: Uint8Array,
    private readonly call: FileCall,
    encoding?: string,
  ) {
    this.#feeds = LineFeeds.of(head, encoding);
  }

  async read(query: ReadFileQuery): Promise<Result<FileContent, ToolError>> {
    const offset = query.offset ?? 0;
    const start = offset < 0 ? await this.#fromEnd(-offset) : await this.#fromStart(offset);
    if (!start.success) return start;
    if (query.column !== undefined && query.limit === undefined)
      return this.#columns(query, start.value, query.column);
    const room = this.call.maxOutputBytes * this.#feeds.width;
    const read = await this.file.read(start.value.byte, room);
    if (!read.success) return fileFailure(read.error);
    const wanted = this.#feeds.firstLines(read.value, query.limit ?? Number.POSITIVE_INFINITY);
    const atEnd = start.value.byte + wanted.length >= this.file.info.size;
    const text = await this.#decode(wanted, query, atEnd);
    if (!text.success) return unreadable(query.path, text.error);
    return Result.ok({ kind: 'text', ...this.#part(text.value, start.value, atEnd) });
  }

  /** A part of one line, which may be most of the file: the text before it is decoded and dropped. */
  async #columns(
    query: ReadFileQuery,
    start: Start,
    column: number,
  ): Promise<Result<FileContent, ToolError>> {
    const { maxOutputBytes: bytes, maxTokens: tokens = Number.POSITIVE_INFINITY } = this.call;
    let [skip, rest, isOver] = [column, '', false];
    for (let byte = start.byte; !isOver && rest.length <= bytes; ) {
      const chunk = await this.#chunk(byte, CHUNK);
      if (!chunk.success) return chunk;
      const line = this.#feeds.firstLines(chunk.value, 1);
      isOver = line.length < chunk.value.length || byte + line.length >= this.file.info.size;
      const decoded = await this.#decodePart(line, query, isOver);
      if (!decoded.success) return unreadable(query.path, decoded.error);
      const { text, used } = decoded.value;
      rest += text.slice(Math.min(skip, text.length));
      skip -= Math.min(skip, text.length);
      byte += used;
    }
    const place = { line: start.line === undefined ? undefined : start.line + 1, column };
    return Result.ok({ kind: 'text', ...linePart(rest, place, { bytes, tokens }) });
  }

  #part(decoded: string, { line, byte }: Start, atEnd: boolean): TextPart {
    const { text: whole, longest } = shortLines(byte === 0 ? withoutMark(decoded) : decoded);
    const part = this.#fitting(whole, { line, byte }, atEnd);
    if (longest === undefined) return part;
    return withHint(part, longLineHint((line ?? 0) + longest.line, longest.length));
  }

  #fitting(whole: string, { line }: Start, atEnd: boolean): TextPart {
    const { maxOutputBytes: bytes, maxTokens: tokens = Number.POSITIVE_INFINITY } = this.call;
    const fitting = fittingLines(whole, { bytes, tokens });
    const text = atEnd ? fitting : endingWithLine(fitting);
    if (text === '') return { text, hint: 'The file has fewer lines than that.' };
    if (atEnd && text.length === whole.length) return { text };
    if (line === undefined) {
      return { text, hint: TOO_LONG_END };
    }
    if (!text.endsWith('\n')) {
      return { text, hint: longLine(line + 1, this.call.maxOutputBytes), nextOffset: line + 1 };
    }
    const last = line + countLines(text);
    return { text, hint: shownLines(line + 1, last, undefined), nextOffset: last };
  }

  async #decode(bytes: Uint8Array, query: ReadFileQuery, atEnd: boolean): Promise<Result<string>> {
    const decoded = await this.#decodePart(bytes, query, atEnd);
    return decoded.success ? Result.ok(decoded.value.text) : decoded;
  }

  /** Decodes a part that was cut within a character, without that character's piece. */
  async #decodePart(
    bytes: Uint8Array,
    { encoding }: ReadFileQuery,
    atEnd: boolean,
  ): Promise<Result<{ readonly text: string; readonly used: number }>> {
    const name = this.#feeds.encoding ?? encoding;
    for (let rest = 0; ; rest += 1) {
      const used = bytes.length - rest;
      const decoded = await this.formats.decode(bytes.subarray(0, used), name);
      if (decoded.success) return Result.ok({ text: decoded.value.text, used });
      if (atEnd || rest === MAX_REST) return decoded;
    }
  }

  async #fromStart(lines: number): Promise<Result<Start, ToolError>> {
    let left = lines;
    for (let byte = 0; left > 0; ) {
      const chunk = await this.#chunk(byte, CHUNK);
      if (!chunk.success) return chunk;
      if (chunk.value.length === 0) return Result.ok({ byte: this.file.info.size, line: lines });
      const found = this.#feeds.skip(chunk.value, left);
      if (found.lines === left) return Result.ok({ byte: byte + found.end, line: lines });
      left -= found.lines;
      byte += chunk.value.length;
    }
    return Result.ok({ byte: 0, line: 0 });
  }

  async #fromEnd(lines: number): Promise<Result<Start, ToolError>> {
    // A line feed at the very end ends the last line and starts none.
    let left = lines;
    let end = this.file.info.size - this.#feeds.width;
    while (end > 0) {
      const from = Math.max(0, end - CHUNK);
      const chunk = await this.#chunk(from, end - from);
      if (!chunk.success) return chunk;
      const places = this.#feeds.places(chunk.value);
      const place = places.at(-left);
      if (place !== undefined) return Result.ok({ byte: from + place, line: undefined });
      left -= places.length;
      end = from;
    }
    return Result.ok({ byte: 0, line: 0 });
  }

  async #chunk(offset: number, length: number): Promise<Result<Uint8Array, ToolError>> {
    if (this.call.access.signal.aborted) return toolFailure(callCancelled());
    const read = await this.file.read(offset, length);
    return read.success ? read : fileFailure(read.error);
  }
}

function endingWithLine(text: string): string {
  const end = text.lastIndexOf('\n');
  return end < 0 ? text : text.slice(0, end + 1);
}
