import type { Page } from '../../domain/result.js';

export interface FittingPage<T> {
  readonly items: readonly T[];
  readonly page?: Page;
}

/** What the envelope around the list takes, with a cursor and an instruction. */
const ENVELOPE_BYTES = 1500;

/**
 * As many items as the answer may hold, at least one, and the cursor of the next page. A list that was cut at
 * its limit comes with a cursor; one that is cut here gets one from its last item.
 */
export function fittingPage<T>(
  items: readonly T[],
  maxBytes: number,
  cursor: string | undefined,
  cursorOf: (index: number) => string,
): FittingPage<T> {
  const last = fittingCount(items, maxBytes - ENVELOPE_BYTES);
  if (last < items.length) {
    return { items: items.slice(0, last), page: { truncated: true, next_cursor: cursorOf(last - 1) } };
  }
  return { items, ...(cursor !== undefined && { page: { truncated: true, next_cursor: cursor } }) };
}

function fittingCount(items: readonly unknown[], room: number): number {
  // No character takes more than three bytes a UTF-16 unit; most pages are far below the bound.
  const text = JSON.stringify(items);
  if (text.length * 3 <= room || byteLength(text) <= room) return items.length;
  let left = room;
  for (const [index, item] of items.entries()) {
    left -= byteLength(JSON.stringify(item)) + 1;
    if (left < 0) return Math.max(1, index);
  }
  return items.length;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
