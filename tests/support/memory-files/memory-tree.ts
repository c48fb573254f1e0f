import type { FileInfo, NewContent } from '../../../src/application/ports/file/safe-file-system.js';

export interface MemoryFile {
  readonly kind: 'file';
  bytes: Uint8Array;
  mode: number;
  modifiedMs: number;
  version: number;
}
export interface MemoryFolder {
  readonly kind: 'directory';
  readonly entries: Map<string, MemoryNode>;
}
export interface MemoryLink {
  readonly kind: 'symlink';
  readonly target: string;
}
export type MemoryNode = MemoryFile | MemoryFolder | MemoryLink;

export function memoryFolder(): MemoryFolder {
  return { kind: 'directory', entries: new Map() };
}

export function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

export function joinPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

export function cloneNode(node: MemoryNode): MemoryNode {
  switch (node.kind) {
    case 'file':
      return { ...node, bytes: node.bytes.slice() };
    case 'symlink':
      return { ...node };
    case 'directory': {
      const copy = memoryFolder();
      for (const [name, child] of node.entries) copy.entries.set(name, cloneNode(child));
      return copy;
    }
  }
}

/** Every node below a folder with its path relative to it. */
export function* nodesBelow(folder: MemoryFolder, prefix = ''): Generator<[string, MemoryNode]> {
  for (const [name, node] of [...folder.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    yield [path, node];
    if (node.kind === 'directory') yield* nodesBelow(node, path);
  }
}

export function dropFrom(root: MemoryNode, relative: string): void {
  const names = relative.split('/');
  const last = names.pop() ?? '';
  let node: MemoryNode | undefined = root;
  for (const name of names) node = node?.kind === 'directory' ? node.entries.get(name) : undefined;
  if (node?.kind === 'directory') node.entries.delete(last);
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

export async function toBytes(content: NewContent): Promise<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return bytesOf(content);
  const all: number[] = [];
  for await (const piece of content) all.push(...piece);
  return new Uint8Array(all);
}

export function infoOf(node: MemoryNode, realPath: string): FileInfo {
  const file = node.kind === 'file' ? node : undefined;
  const time = file?.modifiedMs ?? 0;
  return {
    kind: node.kind,
    size: file?.bytes.length ?? 0,
    mode: file?.mode ?? 0o755,
    links: 1,
    modifiedMs: time,
    createdMs: time,
    accessedMs: time,
    realPath,
    version: `${file?.version ?? 0}`,
    ...(node.kind === 'symlink' && { linkTarget: node.target }),
  };
}

export function totalsOf(folder: MemoryFolder): { files: number; directories: number; bytes: number } {
  const nodes = [...nodesBelow(folder)].map(([, node]) => node);
  const folders = nodes.filter((node) => node.kind === 'directory').length;
  const bytes = nodes.reduce((sum, node) => sum + (node.kind === 'file' ? node.bytes.length : 0), 0);
  return { files: nodes.length - folders, directories: folders + 1, bytes };
}
