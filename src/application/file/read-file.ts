import { inject, injectable } from 'inversify';
import { Result } from '../../domain/result.js';
import { executionFailed, limitExceeded, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { type FileInfo, SafeFileSystem } from '../ports/file/safe-file-system.js';
import { type MediaProbe, TextFormats } from '../ports/file/text-formats.js';
import type { FileCall } from './file-call.js';
import { type FileContent, type ReadFileQuery, unreadable, withoutMark } from './file-content.js';
import { fileFailure } from './file-failure.js';
import { LargeText } from './large-text.js';
import { ReadBudget } from './read-budget.js';
import { isNotebook, shownText } from './shown-text.js';
import { describeBytes, withHint } from './text-part.js';

/** Up to this size a file is read whole, which is faster and gives its number of lines. */
const WHOLE_BYTES = 4 * 1024 * 1024;
/** Notebooks are held in memory to be shown as cells. */
const NOTEBOOK_BYTES = 8 * 1024 * 1024;
/** A shorter text has no long lines and is not encoded. */
const ALL_SHOWN = 900;
const MAX_AUDIO_BYTES = 8 * 1024 * 1024;
/** Models accept images of up to 5 MB as base64. */
const MAX_IMAGE_BYTES = 3_750_000;

/** Reads the requested lines, as many as fit a result, and says how to continue. */
@injectable()
export class ReadFileHandler {
  constructor(
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
    @inject(TextFormats) private readonly formats: TextFormats,
    @inject(ReadBudget) private readonly budget: ReadBudget,
  ) {}

  async handle(query: ReadFileQuery, call: FileCall): Promise<Result<FileContent, ToolError>> {
    const path = call.resolve(query.path);
    const room = {
      bytes: Math.min(call.maxOutputBytes, this.budget.bytes),
      tokens: Math.min(call.maxTokens ?? Number.POSITIVE_INFINITY, this.budget.tokens),
    };
    const most = isNotebook(query.path) ? NOTEBOOK_BYTES : WHOLE_BYTES;
    const whole = Math.max(most, call.maxOutputBytes);
    const read = await this.files.readBytes(path, { offset: 0, length: whole }, call.access);
    if (!read.success) return fileFailure(read.error);
    const { bytes, info } = read.value;
    const media = await this.formats.probe(bytes.subarray(0, this.formats.probeBytes));
    if (media.kind !== 'text' && !isTextAnyway(media, query))
      return this.media(media, query, bytes, info, call);
    if (info.size > bytes.length)
      return this.large(query, path, bytes, { ...call, maxOutputBytes: room.bytes, maxTokens: room.tokens });
    const decoded = await this.formats.decode(bytes, query.encoding);
    read.value.done?.();
    if (!decoded.success) return unreadable(query.path, decoded.error);
    const text = withoutMark(decoded.value.text);
    // UTF-8 that certainly fits needs no check of its lines: a token has at least one byte.
    const surely = Math.min(room.bytes, room.tokens, ALL_SHOWN);
    if (isWhole(query) && decoded.value.encoding === 'utf-8' && bytes.length <= surely) {
      return Result.ok({ kind: 'text', text });
    }
    return Result.ok({ kind: 'text', ...shownText(text, query, room) });
  }

  private async large(
    query: ReadFileQuery,
    path: string,
    head: Uint8Array,
    call: FileCall,
  ): Promise<Result<FileContent, ToolError>> {
    const opened = await this.files.open(path, call.access);
    if (!opened.success) return fileFailure(opened.error);
    try {
      const text = new LargeText(opened.value, this.formats, head, call, query.encoding);
      const read = await text.read(query);
      if (!read.success || read.value.kind !== 'text' || !isNotebook(query.path)) return read;
      return Result.ok({ kind: 'text', ...withHint(read.value, LARGE_NOTEBOOK) });
    } finally {
      opened.value.close();
    }
  }

  private media(
    media: Exclude<MediaProbe, { kind: 'text' }>,
    query: ReadFileQuery,
    bytes: Uint8Array,
    info: FileInfo,
    call: FileCall,
  ): Result<FileContent, ToolError> | Promise<Result<FileContent, ToolError>> {
    const what = `${query.path} is ${media.mimeType} of ${describeBytes(info.size)}`;
    if (media.kind === 'binary') {
      return toolFailure(
        executionFailed(
          `${what}, and only text, images and audio can be read. Use a program that knows it.`,
          {
            type: 'BinaryFileError',
          },
        ),
      );
    }
    const largest = media.kind === 'image' ? MAX_IMAGE_BYTES : MAX_AUDIO_BYTES;
    const bound = Math.min(largest, call.maxFileBytes ?? largest);
    if (info.size > bound) {
      return toolFailure(
        limitExceeded(`${what}, and at most ${describeBytes(bound)} can be shown. Make it smaller first.`),
      );
    }
    const { kind, mimeType } = media;
    if (bytes.length === info.size) return Result.ok({ kind, mimeType, bytes });
    return this.wholeMedia(kind, mimeType, query, info, call);
  }

  private async wholeMedia(
    kind: 'image' | 'audio',
    mimeType: string,
    query: ReadFileQuery,
    { size }: FileInfo,
    call: FileCall,
  ): Promise<Result<FileContent, ToolError>> {
    const read = await this.files.readBytes(
      call.resolve(query.path),
      { offset: 0, length: size },
      call.access,
    );
    return read.success ? Result.ok({ kind, mimeType, bytes: read.value.bytes }) : fileFailure(read.error);
  }
}

const LARGE_NOTEBOOK = `A notebook of more than ${describeBytes(NOTEBOOK_BYTES)} is shown as its JSON. In a command, jq -r '.cells[].source | add' FILE shows its cells.`;

function isWhole({ path, offset = 0, limit, column }: ReadFileQuery): boolean {
  return offset === 0 && limit === undefined && column === undefined && !isNotebook(path);
}

/** An encoding with two bytes per character looks binary; a caller that names one knows better. */
function isTextAnyway(media: MediaProbe, { encoding }: ReadFileQuery): boolean {
  return media.kind === 'binary' && encoding !== undefined && /^utf-?16/i.test(encoding);
}
