export type FileErrorKind =
  | 'not-found'
  | 'not-a-directory'
  | 'is-a-directory'
  | 'not-empty'
  | 'outside'
  | 'denied'
  | 'no-permission'
  | 'special-file'
  | 'hard-linked'
  | 'already-exists'
  | 'too-large'
  | 'name-too-long'
  | 'invalid-path'
  | 'too-many-links'
  | 'busy'
  | 'exchanged'
  | 'no-space'
  | 'read-only'
  | 'too-many-open'
  | 'io'
  | 'no-state'
  | 'cancelled';

/** Why a file operation failed. The message names only the path that the caller gave. */
export interface FileError {
  readonly kind: FileErrorKind;
  readonly path: string;
  readonly message: string;
}

const MESSAGES: Readonly<Record<FileErrorKind, (path: string) => string>> = {
  'not-found': (path) => `No such file or directory: ${path}. List the folder above it to see what is there.`,
  'not-a-directory': (path) => `Not a directory: ${path}`,
  'is-a-directory': (path) => `${path} is a directory, and this needs a file. List it instead.`,
  'not-empty': (path) =>
    `The directory ${path} is not empty. Empty it first; a deletion takes its content along with recursive.`,
  outside: (path) =>
    `${path} leads through a link to a path that may not be used. Use a path inside the allowed directories.`,
  denied: (path) => `The policy does not allow this for ${path}. Use another path, or ask the operator.`,
  'no-permission': (path) => `The operating system denies the server permission to do this to ${path}.`,
  'special-file': (path) =>
    `${path} is not an ordinary file or folder (a pipe, device, socket or kernel file) and is never opened.`,
  'hard-linked': (path) =>
    `${path} has a second name (hard link) that this call would also reveal or change. Copy it, or write it whole.`,
  'already-exists': (path) => `${path} exists already. Choose another name, or allow overwriting.`,
  'too-large': (path) => `${path} is too large for this operation. Read or write it in parts.`,
  'name-too-long': (path) => `The path ${path} is longer than the file system allows. Use a shorter name.`,
  'invalid-path': (path) => `${path} cannot be used for this. Give an absolute path without NUL characters.`,
  'too-many-links': (path) => `${path} leads through more than 40 links, or in a circle.`,
  busy: (path) => `${path} is being changed by another call. Try again in a moment.`,
  exchanged: (path) =>
    `${path} does not hold what this call wrote: another process replaced or changed it at the same moment. Read it before you continue; a background process may be changing it.`,
  'no-space': (path) => `No space is left on the disk for ${path}. Nothing was changed.`,
  'read-only': (path) => `${path} is on a read-only file system.`,
  'too-many-open': (path) => `Too many files are open to use ${path}. Try again in a moment.`,
  io: (path) => `The file system reported an error for ${path}. Try again; if it persists, ask the operator.`,
  'no-state': (path) =>
    `The server cannot write its state directory, where it records changes first, so ${path} was not changed. Ask the operator to make that directory writable or to set XDG_STATE_HOME; castellan doctor names it.`,
  cancelled: (path) => `The work on ${path} was cancelled.`,
};

const MAX_SHOWN = 300;

export function fileError(kind: FileErrorKind, path: string, message?: string): FileError {
  return { kind, path, message: message ?? MESSAGES[kind](showPath(path)) };
}

/** A path for a message: control characters are escaped, and a very long one is cut in the middle. */
export function showPath(path: string): string {
  const cut =
    path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN / 2)}…${path.slice(-MAX_SHOWN / 2)}` : path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escapeCharacter);
}

function escapeCharacter(char: string): string {
  const code = char.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
