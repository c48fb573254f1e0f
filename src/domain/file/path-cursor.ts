import { Result } from '../result.js';

/** A position in a fixed order of paths, opaque to callers. */
export interface PagePosition {
  readonly path: string;
  /** For results within a file. */
  readonly line?: number;
}

const PREFIX = 'c1.';

export function encodeCursor(position: PagePosition): string {
  const line = position.line === undefined ? '' : String(position.line);
  return `${PREFIX}${line}.${encodeURIComponent(toWellFormed(position.path))}`;
}

export function parseCursor(cursor: string): Result<PagePosition> {
  const match = /^c1\.(\d{0,12})\.(.+)$/s.exec(cursor);
  const [, line, encoded] = match ?? [];
  const path = encoded === undefined ? undefined : decode(encoded);
  if (line === undefined || path === undefined || !isRelative(path)) {
    return Result.failure(
      'The cursor must be the next_cursor of an earlier answer, unchanged. Leave it out to start at the beginning.',
      'InvalidCursor',
    );
  }
  return Result.ok({ path, ...(line !== '' && { line: Number(line) }) });
}

function isRelative(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..');
}

/** A lone surrogate cannot be encoded; it cannot be part of a file name either. */
function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not a cursor written by encodeCursor.
    return undefined;
  }
}
