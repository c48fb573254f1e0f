import { Result } from '../../domain/result.js';

/** An opaque cursor: the name after which a page begins, so that it survives changes of the list. */
export function encodeCursor(after: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`after:${after}`)));
}

export function decodeCursor(cursor: string | undefined): Result<string> {
  if (cursor === undefined) return Result.ok('');
  try {
    const bytes = Uint8Array.from(atob(cursor), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.startsWith('after:')) return Result.ok(text.slice('after:'.length));
  } catch {
    // Not base64 or not UTF-8: the same answer as any other text that is no cursor of ours.
  }
  return Result.failure(
    'The cursor is not one that this server gave out. Pass next_cursor of the page before unchanged, or none.',
    'InvalidCursor',
  );
}
