import { join } from 'node:path';
import { readForeignFileSync } from '../../../state/foreign-file.js';
import { headOf, repositoryAt } from '../repository-head.js';
import { IndexFault, readIndex } from './index-layout.js';

const MAX_INDEX = 128 * 1024 * 1024;

/**
 * The absolute paths that git tracks in the repository of a folder; none if it is no repository, or its index cannot be
 * read here. No git is started: a repository's own settings could make it run a program.
 */
export function trackedPaths(folder: string): readonly string[] {
  const repository = repositoryAt(join(folder, '.git'), [folder]);
  if (repository === undefined) return [];
  const file = readForeignFileSync(join(repository.own, 'index'), { maxBytes: MAX_INDEX, links: 'nowhere' });
  if (file.kind !== 'bytes') return [];
  const paths: string[] = [];
  const decoder = new TextDecoder();
  try {
    readIndex(file.bytes, headOf(repository)?.format ?? 'sha1', ({ name }) => {
      paths.push(join(repository.top, decoder.decode(name)));
    });
  } catch (error) {
    if (error instanceof IndexFault) return [];
    throw error;
  }
  return paths;
}
