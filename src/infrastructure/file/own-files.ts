import { lstatSync } from 'node:fs';

// Shared by the whole process: code that looks for files created by commands must know which ones the server
// created itself.
const own = new Set<string>();

/** Call it before the server creates a file or directory in the workspace. An existing one proves nothing. */
export function announceOwnFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) own.add(path);
}

export function isOwnFile(path: string): boolean {
  return own.has(path);
}
