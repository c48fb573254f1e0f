import type { FileAccess } from '../../application/ports/file/safe-file-system.js';
import { type FileError, type FileErrorKind, fileError, showPath } from '../../domain/file/file-error.js';
import { Result } from '../../domain/result.js';
import { errnoOf } from '../state/errno.js';

/** Carries a refusal out of nested descriptor work to `attempt`; it never leaves this folder. */
export class FileFault extends Error {
  readonly code = 'CASTELLAN_FILE_FAULT';

  constructor(
    readonly kind: FileErrorKind,
    /** The path that is to blame, where it is not the one the operation is named after. */
    readonly path?: string,
    /** What to say about the path as it is shown, where the words of the kind do not fit. */
    readonly explain?: (shown: string) => string,
  ) {
    super(kind);
  }
}

/** Runs the part of an operation that is about another path than its first. */
export async function blaming<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const kind = faultKindOf(error);
    // Of two file systems the caller makes a copy, and of its own end it knows itself.
    if (kind === undefined || errnoOf(error) === 'EXDEV' || pathOf(error) !== undefined) throw error;
    throw new FileFault(kind, path);
  }
}

const KINDS: Readonly<Record<string, FileErrorKind>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-a-directory',
  EISDIR: 'is-a-directory',
  ENOTEMPTY: 'not-empty',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EEXIST: 'already-exists',
  EFBIG: 'too-large',
  ENAMETOOLONG: 'name-too-long',
  EINVAL: 'invalid-path',
  ERR_INVALID_ARG_VALUE: 'invalid-path',
  ELOOP: 'too-many-links',
  EBUSY: 'busy',
  ETXTBSY: 'busy',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EROFS: 'read-only',
  EMFILE: 'too-many-open',
  ENFILE: 'too-many-open',
  ENXIO: 'special-file',
  ENODEV: 'special-file',
  EIO: 'io',
  ESTALE: 'io',
  EXDEV: 'io',
};

/** The kind of an expected failure; undefined for a bug. */
export function faultKindOf(error: unknown): FileErrorKind | undefined {
  if (isFault(error)) return error.kind;
  const code = errnoOf(error);
  if (code === undefined) return undefined;
  return KINDS[code] ?? ('syscall' in Object(error) ? 'io' : undefined);
}

function pathOf(error: unknown): string | undefined {
  return isFault(error) ? error.path : undefined;
}

function isFault(error: unknown): error is FileFault {
  return errnoOf(error) === 'CASTELLAN_FILE_FAULT';
}

/** What the server keeps for itself. When that fails it is not the caller's path that is to blame. */
export function inState<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const kind = faultKindOf(error);
    if (kind === undefined || kind === 'too-many-open' || isFault(error)) throw error;
    throw new FileFault('no-state');
  }
}

/** Runs one operation of the port: refusals and errno become values, bugs go on. */
export async function attempt<T>(
  path: string,
  access: FileAccess,
  work: () => Promise<T> | T,
): Promise<Result<T, FileError>> {
  try {
    if (path.includes('\0') || !path.startsWith('/')) throw new FileFault('invalid-path');
    checkLive(access);
    return Result.ok(await work());
  } catch (error) {
    const kind = faultKindOf(error);
    if (kind === undefined) throw error;
    return failureOf(kind, pathOf(error) ?? path, access, explanationOf(error));
  }
}

/** For a path that goes on below a file: it does not exist, so it is not "Not a directory". */
export function belowAFile(shown: string): string {
  return `No such file or directory: ${shown}. A part of the path before its end is a file, not a folder.`;
}

function explanationOf(error: unknown): ((shown: string) => string) | undefined {
  if (isFault(error)) return error.explain;
  // What is opened as a folder itself has been looked at before.
  return errnoOf(error) === 'ENOTDIR' ? belowAFile : undefined;
}

export function failureOf(
  kind: FileErrorKind,
  path: string,
  access: FileAccess,
  explain?: (shown: string) => string,
) {
  const shown = access.display === undefined ? path : access.display(path);
  return Result.failure(fileError(kind, shown, explain?.(showPath(shown))), 'FileError');
}

/** A tree cannot go into itself, and the destination is what has to change. */
export function checkOutside(source: string, destination: string): void {
  if (destination === source) {
    throw new FileFault(
      'invalid-path',
      destination,
      (shown) => `The destination ${shown} is the source itself.`,
    );
  }
  if (destination.startsWith(`${source}/`)) {
    throw new FileFault(
      'invalid-path',
      destination,
      (shown) => `The destination ${shown} lies inside the source. Choose one outside of it.`,
    );
  }
}

export function checkLive(access: FileAccess): void {
  if (access.signal.aborted) throw new FileFault('cancelled');
}
