/** Kinds of entries, as git writes them into an index. */
export const MODE = {
  file: 0o100644,
  program: 0o100755,
  link: 0o120000,
  repository: 0o160000,
  /** A whole folder, in a sparse index. */
  folder: 0o040000,
} as const;

/** `.git` and its short name, also where Windows would cut the name off: at blanks, dots, a colon or a backslash. */
const GIT = /^(?:\.git|git~1)[. ]*(?:$|[:\\])/i;
/** The same for `.gitmodules`, which git never makes a link. */
const MODULES = /^(?:\.gitmodules|gitmod~[1-4]|gi7eb?a?~[1-9]\d*)[. ]*(?:$|[:\\])/i;
/** Characters that macOS leaves out when it compares names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether git would take this path into an index. git checks that when it adds an entry and not when it reads one, so
 * that a path in an index made by hand leads `git checkout` anywhere. The checks for Windows and macOS always count.
 */
export function isTrackable(path: string, mode: number): boolean {
  const isFolder = mode === MODE.folder;
  if (isFolder !== path.endsWith('/')) return false;
  const parts = (isFolder ? path.slice(0, -1) : path).split('/');
  return parts.every((part) => isName(part, mode));
}

function isName(part: string, mode: number): boolean {
  if (part === '' || part === '.' || part === '..') return false;
  // Only Windows separates names at a backslash, and what follows it must not be `.git` there either.
  return part.split('\\').every((name) => {
    const plain = name.replaceAll(IGNORED, '');
    if (GIT.test(plain)) return false;
    return mode !== MODE.link || !MODULES.test(plain);
  });
}
