import type { Dirent } from 'node:fs';
import { objectKey } from '../../file/object-key.js';
import type { Seed } from './entry-classifier.js';
import type { FolderNode } from './folder-node.js';
import { lookAt } from './read-entries.js';

const OBJECTS = /\/objects\/[^/]+$/;

export function seedIn(node: FolderNode, name: string): Seed {
  return { path: joined(node.path, name), name, parent: node, inherited: node.inherited };
}

export function joined(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

/** Watched before others where watches are scarce: where git's doors are, and not its objects. */
export function isVital(path: string, isGit: boolean): boolean {
  return isGit && !OBJECTS.test(path);
}

/** The folder that was read is still the one of that name. */
export function isSame(child: FolderNode, entry: Dirent): boolean {
  const stats = entry.isDirectory() ? lookAt(child.path) : undefined;
  return stats !== undefined && objectKey(stats) === child.key;
}
