import { Result } from '../../domain/result.js';

/** An opaque cursor: the name after which a page begins, so that it remains valid when the list changes. */
function encodeCursor(after: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`after:${after}`)));
}

function decodeCursor(cursor: string | undefined): Result<string> {
  if (cursor === undefined) return Result.ok('');
  try {
    const bytes = Uint8Array.from(atob(cursor), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.startsWith('after:')) return Result.ok(text.slice('after:'.length));
  } catch {
    // Not base64 or not UTF-8: answered like any other invalid cursor.
  }
  return notOurs();
}

function notOurs() {
  return Result.failure(
    'The cursor is not from this server. Pass next_cursor of the previous page unchanged, or omit it.',
    'InvalidCursor',
  );
}

export interface Paged<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

const PAGE_SIZE = 100;

/** One page of a list sorted by key, starting after the cursor. */
export function pageAfter<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
): Result<Paged<T>> {
  const after = decodeCursor(cursor);
  if (!after.success) return after;
  const sorted = [...all].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rest = cursor === undefined ? sorted : sorted.filter((item) => keyOf(item) > after.value);
  const items = rest.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return Result.ok({
    items,
    ...(rest.length > PAGE_SIZE && last !== undefined && { nextCursor: encodeCursor(keyOf(last)) }),
  });
}

/** For lists in another order, such as by relevance: the number of entries before the page. */
export function offsetOf(cursor: string | undefined): Result<number> {
  const after = decodeCursor(cursor);
  if (!after.success) return after;
  const offset = after.value === '' ? 0 : Number(after.value);
  return Number.isSafeInteger(offset) && offset >= 0 ? Result.ok(offset) : notOurs();
}

export function cursorAt(offset: number): string {
  return encodeCursor(String(offset));
}
