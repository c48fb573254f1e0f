import type { FileAccess } from '../../../src/application/ports/file/safe-file-system.js';
import type { FileErrorKind } from '../../../src/domain/file/file-error.js';
import { type MemoryFolder, type MemoryNode, namesOf } from './memory-tree.js';

export interface MemoryPlace {
  readonly parent: MemoryFolder;
  readonly name: string;
  readonly real: string;
  readonly node: MemoryNode | undefined;
}

export type MemoryPermission = 'read' | 'write' | 'both';

/** A refusal on its way to the port's edge. */
export class MemoryFault extends Error {
  readonly code = 'CASTELLAN_MEMORY_FAULT';
  constructor(readonly kind: FileErrorKind) {
    super(kind);
  }
}

export function isMemoryFault(error: unknown): error is MemoryFault {
  return error instanceof Error && 'code' in error && error.code === 'CASTELLAN_MEMORY_FAULT';
}

const MAX_LINKS = 40;

/** Finds a place in the tree with the same answers as the file system on disk. */
export function findPlace(
  root: MemoryFolder,
  path: string,
  follow: boolean,
  permission: MemoryPermission,
  access: FileAccess,
): MemoryPlace {
  if (!permits(path, permission, access)) throw new MemoryFault('denied');
  let names = namesOf(path);
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    const step = walkTo(root, names, follow);
    if (step.kind === 'link') {
      names = step.names;
      continue;
    }
    const real = `/${names.join('/')}`;
    const seen = access.guard.mayRead(real) || access.guard.mayWrite(real);
    if (links > 0 && (step.kind === 'failed' ? !seen : !permits(real, permission, access))) {
      throw new MemoryFault('outside');
    }
    if (step.kind === 'failed') throw new MemoryFault(step.reason);
    return { ...step.place, real };
  }
  throw new MemoryFault('too-many-links');
}

/** Undefined where a folder above is missing. */
export function findPlaceUnlessMissing(
  root: MemoryFolder,
  path: string,
  access: FileAccess,
): MemoryPlace | undefined {
  try {
    return findPlace(root, path, true, 'write', access);
  } catch (error) {
    if (isMemoryFault(error) && error.kind === 'not-found') return undefined;
    throw error;
  }
}

type Step =
  | { readonly kind: 'link'; readonly names: string[] }
  | { readonly kind: 'failed'; readonly reason: FileErrorKind }
  | { readonly kind: 'place'; readonly place: Omit<MemoryPlace, 'real'> };

function walkTo(root: MemoryFolder, names: readonly string[], follow: boolean): Step {
  let folder = root;
  for (const [index, name] of names.entries()) {
    const node = folder.entries.get(name);
    const last = index === names.length - 1;
    if (node?.kind === 'symlink' && (follow || !last)) {
      return { kind: 'link', names: resolveLink(names.slice(0, index), node.target, names.slice(index + 1)) };
    }
    if (last) return { kind: 'place', place: { parent: folder, name, node } };
    if (node === undefined) return { kind: 'failed', reason: 'not-found' };
    if (node.kind !== 'directory') return { kind: 'failed', reason: 'not-a-directory' };
    folder = node;
  }
  return { kind: 'place', place: { parent: root, name: '', node: root } };
}

function resolveLink(base: readonly string[], target: string, rest: readonly string[]): string[] {
  const route = target.startsWith('/') ? [] : [...base];
  for (const name of namesOf(target)) {
    if (name === '..') route.pop();
    else route.push(name);
  }
  return [...route, ...rest];
}

function permits(path: string, permission: MemoryPermission, { guard }: FileAccess): boolean {
  const read = permission === 'write' || guard.mayRead(path);
  return read && (permission === 'read' || guard.mayWrite(path));
}
