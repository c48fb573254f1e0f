import { inject, injectable } from 'inversify';
import { type FileError, fileError } from '../../domain/file/file-error.js';
import { errorTypeOf } from '../../domain/tool/tool-error.js';
import type { FileCall } from './file-call.js';
import { fileToolError } from './file-failure.js';
import { ReadBudget } from './read-budget.js';
import { ReadFileHandler } from './read-file.js';

export interface ReadEntry {
  readonly path: string;
  readonly success: boolean;
  readonly content?: string;
  /** Pass as offset to read_file for the rest. */
  readonly next_offset?: number;
  /** What is not shown of these lines, and how to get it. */
  readonly hint?: string;
  readonly error?: string;
  readonly error_type?: string;
}

/** Space for the JSON around an entry and around the list. */
const FRAME_BYTES = 400;
const ENVELOPE_BYTES = 1000;
const LEAST_BYTES = 1000;
const REFUSED = errorTypeOf(fileToolError(fileError('denied', '')));

/** Reads several files into one result: none takes the space of later ones. */
@injectable()
export class ReadFilesHandler {
  constructor(
    @inject(ReadFileHandler) private readonly reader: ReadFileHandler,
    @inject(ReadBudget) private readonly budget: Pick<ReadBudget, 'tokens'>,
  ) {}

  async handle(paths: readonly string[], call: FileCall): Promise<readonly ReadEntry[]> {
    const entries: ReadEntry[] = [];
    let left = call.maxOutputBytes - ENVELOPE_BYTES;
    for (const [index, path] of paths.entries()) {
      const share = Math.floor(left / (paths.length - index)) - FRAME_BYTES - byteLength(path);
      const maxTokens = Math.floor(this.budget.tokens / paths.length);
      const entry = await this.read(path, share, { ...call, maxTokens });
      entries.push(entry);
      left -= byteLength(JSON.stringify(entry)) + 1;
      if (call.access.signal.aborted) break;
    }
    return entries;
  }

  private async read(path: string, share: number, call: FileCall): Promise<ReadEntry> {
    // The policy allowed the call without the files it denies: they are not even looked up.
    const absolute = call.resolve(path);
    if (absolute.includes('\0')) return refused(fileError('invalid-path', path), path);
    if (!call.access.guard.mayRead(absolute)) return refused(fileError('denied', path), path);
    if (share < LEAST_BYTES)
      return failed(path, 'The result is full. Read this file separately.', 'LimitExceededError');
    const read = await this.reader.handle({ path }, { ...call, maxOutputBytes: share });
    if (!read.success) return failed(path, read.error.message, errorTypeOf(read.error));
    if (read.value.kind !== 'text') {
      return failed(path, `${path} is ${read.value.mimeType}. Read it with read_file.`, 'BinaryFileError');
    }
    const { text, nextOffset, hint } = read.value;
    const entry = fitted(path, text, nextOffset, share);
    return hint !== undefined && entry.next_offset === undefined ? { ...entry, hint } : entry;
  }
}

/** The number of files that the policy denies, by name or by link target. */
export function countRefused(entries: readonly ReadEntry[]): number {
  return entries.filter(({ error_type }) => error_type === REFUSED).length;
}

/** Quotes and line feeds take two bytes in JSON, control characters six. */
function fitted(path: string, text: string, nextOffset: number | undefined, share: number): ReadEntry {
  const size = byteLength(JSON.stringify(text));
  if (size <= share) {
    return {
      path,
      success: true,
      content: text,
      ...(nextOffset !== undefined && { next_offset: nextOffset }),
    };
  }
  const part = text.slice(0, Math.floor((text.length * share) / size / 2));
  const end = part.lastIndexOf('\n');
  const content = end < 0 ? part.replace(/[\ud800-\udbff]$/, '') : part.slice(0, end + 1);
  return { path, success: true, content, next_offset: Math.max(1, content.split('\n').length - 1) };
}

function refused(error: FileError, path: string): ReadEntry {
  const refusal = fileToolError(error);
  return failed(path, refusal.message, errorTypeOf(refusal));
}

function failed(path: string, error: string, type: string): ReadEntry {
  return { path, success: false, error, error_type: type };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
