import { lstatSync } from 'node:fs';

// Of the whole process: whoever looks for files that commands made must know which of them the server made itself.
const own = new Set<string>();

/** To be told before a file or folder of the server is made in the workspace. What is there already is nobody's proof. */
export function announceOwnFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) own.add(path);
}

export function isOwnFile(path: string): boolean {
  return own.has(path);
}
