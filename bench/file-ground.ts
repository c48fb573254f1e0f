import { closeSync, linkSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WORDS = ['alpha', 'beta', 'gamma', 'const', 'export', 'function', 'return', 'value'];
export const FILES_A_FOLDER = 20;
const FOLDERS_A_GROUP = 500;

export const NEEDLE = 'needle-in-the-stack';
export const BENCH_POLICY = fileURLToPath(new URL('bench-policy.yaml', import.meta.url));
export const BENCH_SETTINGS = fileURLToPath(new URL('bench-settings.yaml', import.meta.url));

export interface FileGround {
  readonly root: string;
  readonly tree: string;
  /** Entries of the tree, folders included, and files with the needle. */
  readonly entries: number;
  readonly needles: number;
  readonly typescript: number;
}

/** Files to read and a tree to walk: `folders` times twenty files of half a kilobyte. */
export function layFileGround(scratch: string, folders: number): FileGround {
  const root = join(scratch, 'files');
  const tree = join(root, 'tree');
  mkdirSync(tree, { recursive: true });
  for (const [name, bytes] of [
    ['1k', 1024],
    ['1m', 1024 ** 2],
    ['16m', 16 * 1024 ** 2],
  ] as const) {
    writeFileSync(join(root, name), textOf(bytes, name.length));
  }
  const packages = new Set<string>();
  let needles = 0;
  for (let folder = 0; folder < folders; folder += 1) {
    const pack = `pkg${folder % 50}`;
    packages.add(pack);
    const path = join(tree, pack, `mod${Math.floor(folder / 50)}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_A_FOLDER; file += 1) {
      const found = folder % 100 === 7 && file === 3;
      if (found) needles += 1;
      const name = `file${file}.${file % 4 === 0 ? 'ts' : 'js'}`;
      writeFileSync(join(path, name), textOf(512, folder + file) + (found ? `${NEEDLE}\n` : ''));
    }
  }
  const files = folders * FILES_A_FOLDER;
  return { root, tree, entries: files + folders + packages.size, needles, typescript: files / 4 };
}

/** A tree to page through: `folders` times twenty names, those of a group of one empty file: a link is soon made. */
export function layEmptyFiles(scratch: string, folders: number): { root: string; entries: number } {
  const root = join(scratch, 'many');
  const groups = Math.ceil(folders / FOLDERS_A_GROUP);
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `group${Math.floor(folder / FOLDERS_A_GROUP)}`, `folder${folder}`);
    mkdirSync(path, { recursive: true });
    if (folder % FOLDERS_A_GROUP === 0) closeSync(openSync(join(path, 'file0'), 'w'));
    const first = join(path, '..', `folder${folder - (folder % FOLDERS_A_GROUP)}`, 'file0');
    for (let file = 0; file < FILES_A_FOLDER; file += 1) {
      const name = join(path, `file${file}`);
      if (name !== first) linkSync(first, name);
    }
  }
  return { root, entries: folders * (FILES_A_FOLDER + 1) + groups };
}

function textOf(bytes: number, seed: number): string {
  let text = '';
  for (let line = seed; text.length < Math.min(bytes, 65_536); line += 1) {
    text += `${WORDS[line % 8]} ${WORDS[(line * 7) % 8]} = ${line * 6394};\n`;
  }
  return text
    .repeat(Math.ceil(bytes / text.length))
    .slice(0, bytes - 1)
    .concat('\n');
}
