import type { FileAccess } from '../../application/ports/file/safe-file-system.js';
import { type FileError, type FileErrorKind, fileError, showPath } from '../../domain/file/file-error.js';
import { Result } from '../../domain/result.js';
import { errnoOf } from '../state/errno.js';

/** Carries a refusal out of nested descriptor work to `attempt`; it never leaves this directory. */
export class FileFault extends Error {
  readonly code = 'CASTELLAN_FILE_FAULT';

  constructor(
    readonly kind: FileErrorKind,
    /** The path to blame, if it is not the one the operation is named after. */
    readonly path?: string,
    /** A message about the shown path, if that of the kind does not fit. */
    readonly explain?: (shown: string) => string,
  ) {
    super(kind);
  }
}

/** Runs the part of an operation that concerns another path than its first. */
export async function blaming<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const kind = faultKindOf(error);
    // Across file systems the caller makes a copy, and an error of its own path is already attributed.
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

/** Marks failures in the server's own files: the caller's path is not to blame. */
export function inState<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const kind = faultKindOf(error);
    if (kind === undefined || kind === 'too-many-open' || isFault(error)) throw error;
    throw new FileFault('no-state');
  }
}

/** Runs one operation of the port: refusals and errno become values, bugs are rethrown. */
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

/** For a path that continues below a file: it does not exist, so the message is not "Not a directory". */
export function belowAFile(shown: string): string {
  return `No such file or directory: ${shown}. A part of the path before its end is a file, not a folder.`;
}

function explanationOf(error: unknown): ((shown: string) => string) | undefined {
  if (isFault(error)) return error.explain;
  // A path opened as a directory was checked before.
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

/** A tree cannot be moved into itself; the destination has to change. */
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
