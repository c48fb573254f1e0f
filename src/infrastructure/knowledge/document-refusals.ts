import { type FileError, fileError } from '../../domain/file/file-error.js';

export function tooLarge(path: string, most: number): FileError {
  const limit = `${most / 1024 / 1024} MiB`;
  return fileError(
    'too-large',
    path,
    `${path} is larger than a document may be (${limit}). Read it in parts with read_file.`,
  );
}

export function notText(path: string): FileError {
  return fileError(
    'io',
    path,
    `${path} is not valid UTF-8 text. Convert it, or read it with read_file and its encoding.`,
  );
}
