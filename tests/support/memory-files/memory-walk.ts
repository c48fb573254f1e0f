import type {
  FileAccess,
  WalkEntry,
  WalkOptions,
} from '../../../src/application/ports/file/safe-file-system.js';
import { joinPath, type MemoryFolder } from './memory-tree.js';

/** The walk of the port, over a tree in memory. */
export async function* walkMemory(
  root: MemoryFolder,
  real: string,
  options: WalkOptions,
  access: FileAccess,
): AsyncGenerator<readonly WalkEntry[]> {
  const after = options.after?.split('/');
  const entries = [...visit(root, real, '', 1, options, access)];
  const rest =
    after === undefined ? entries : entries.filter(({ path }) => comesAfter(path.split('/'), after));
  for (let at = 0; at < rest.length && !access.signal.aborted; at += 1000) yield rest.slice(at, at + 1000);
}

function* visit(
  folder: MemoryFolder,
  real: string,
  prefix: string,
  depth: number,
  options: WalkOptions,
  access: FileAccess,
): Generator<WalkEntry> {
  const rulesFile = options.rulesFile === undefined ? undefined : folder.entries.get(options.rulesFile);
  const rules = rulesFile?.kind === 'file' ? new TextDecoder().decode(rulesFile.bytes) : undefined;
  const filter = options.enter?.(prefix, rules);
  const after = options.after?.split('/');
  let files = 0;
  let whole = true;
  for (const [name, node] of [...folder.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isDirectory = node.kind === 'directory';
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const isNew = after === undefined || comesAfter(path.split('/'), after);
    if (!access.guard.mayRead(joinPath(real, name)) || filter?.(name, isDirectory) === false) {
      if (!isDirectory) whole = false;
      continue;
    }
    const file = node.kind === 'file' ? node : undefined;
    const times = { size: file?.bytes.length ?? 0, modifiedMs: file?.modifiedMs ?? 0 };
    const isWanted = options.select?.(name, prefix) !== false;
    if (!isDirectory && !(isWanted && isNew)) whole = false;
    if (node.kind === 'file' && isWanted && isNew) files += 1;
    if (isWanted)
      yield {
        name,
        path,
        folder: prefix,
        kind: node.kind,
        nameable: true,
        ...(options.times === true && { times }),
      };
    if (isDirectory && depth < (options.maxDepth ?? Number.POSITIVE_INFINITY)) {
      yield* visit(node, joinPath(real, name), path, depth + 1, options, access);
    }
  }
  if (after === undefined || isEntered(prefix, after)) options.leave?.(prefix, files, whole);
}

/** A walk that goes on after a cursor looks into the cursor's own folders and those that come later. */
function isEntered(prefix: string, after: readonly string[]): boolean {
  const names = prefix === '' ? [] : prefix.split('/');
  return names.every((name, index) => name === after[index]) || comesAfter(names, after);
}

function comesAfter(path: readonly string[], cursor: readonly string[]): boolean {
  for (const [index, name] of path.entries()) {
    const other = cursor[index];
    if (other === undefined) return true;
    if (name !== other) return name > other;
  }
  return false;
}
