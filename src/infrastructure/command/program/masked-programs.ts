import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { SYSTEM_PATH } from '../../../domain/permission/path/system-folders.js';
import { readForeignFileSync } from '../../state/foreign-file.js';

const FOLDERS = [
  ...SYSTEM_PATH.split(':'),
  '/usr/games',
  '/usr/lib/git-core',
  '/usr/libexec/git-core',
  '/opt/bin',
];
/** Without these no command can be started at all. */
const NEEDED = ['/bin/sh', '/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];
const MAX_BYTES = 64 * 1024 * 1024;
/** One file that is many programs, each under a name of its own. */
const MULTI_CALL = new Set(['busybox', 'toybox', 'coreutils', 'gcoreutils', 'sbase-box', 'ubase-box']);

/**
 * The files behind the names of programs, wherever a command could find them: in every folder of programs, behind
 * links, and under each name of the same file. Programs inside a file of many programs are one with it: that file is
 * among them where nothing else on the machine needs it.
 */
export class MaskedPrograms {
  readonly #folders: readonly string[];
  #known: { readonly key: string; readonly files: readonly string[] } | undefined;

  constructor(searchPath: string) {
    const listed = [...searchPath.split(':').filter((entry) => isAbsolute(entry)), ...FOLDERS];
    this.#folders = [...new Set(listed.flatMap((folder) => real(folder) ?? []))];
  }

  filesOf(names: readonly string[]): readonly string[] {
    if (names.length === 0) return [];
    const key = JSON.stringify([names, this.#folders.map((folder) => look(folder)?.mtimeMs)]);
    if (this.#known?.key !== key) this.#known = { key, files: this.#find(names) };
    return this.#known.files;
  }

  #find(names: readonly string[]): readonly string[] {
    const needed = new Set(NEEDED.flatMap((path) => real(path) ?? []));
    const named = names.flatMap((name) => this.#folders.flatMap((folder) => real(join(folder, name)) ?? []));
    const files = new Set(named.filter((file) => isFile(file)));
    for (const file of files) if (isMany(file) && !names.includes(basename(file))) files.delete(file);
    const all = this.#entries();
    for (const file of this.#standing(all, needed)) if (holds(file, names)) files.add(file);
    for (const file of [...files]) for (const other of otherNames(file, all)) files.add(other);
    return [...files].filter((file) => !needed.has(file)).sort();
  }

  /** Files of many programs that no other name leads to: they hold the denied ones, and nobody would miss them. */
  #standing(all: readonly string[], needed: ReadonlySet<string>): readonly string[] {
    const many = all.filter((path) => MULTI_CALL.has(basename(path))).flatMap((path) => real(path) ?? []);
    return [...new Set(many)].filter((file) => {
      const others = all.filter((path) => !MULTI_CALL.has(basename(path)) && real(path) === file);
      return !needed.has(file) && others.length === 0;
    });
  }

  #entries(): readonly string[] {
    return this.#folders.flatMap((folder) => {
      try {
        return readdirSync(folder).map((name) => join(folder, name));
      } catch {
        // A folder of the PATH that cannot be listed shows no program to a command either.
        return [];
      }
    });
  }
}

function isMany(file: string): boolean {
  return MULTI_CALL.has(basename(file));
}

/** Whether one of these programs is in it: the names stand in the file, each between two NULs. */
function holds(file: string, names: readonly string[]): boolean {
  const read = readForeignFileSync(file, { maxBytes: MAX_BYTES, links: 'anywhere' });
  // What cannot be read is covered: it cannot be known not to hold one.
  return read.kind !== 'bytes' || names.some((name) => read.bytes.includes(`\0${name}\0`));
}

/** Hard links: links are followed to the file itself. */
function otherNames(file: string, all: readonly string[]): readonly string[] {
  const own = look(file);
  if (own === undefined || own.nlink < 2) return [];
  return all.filter((path) => {
    const other = lookHere(path);
    return other?.isFile() === true && other.ino === own.ino && other.dev === own.dev;
  });
}

function isFile(path: string): boolean {
  return look(path)?.isFile() ?? false;
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Not to be reached by the server, and so neither by its commands.
    return undefined;
  }
}

function lookHere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Gone in the meantime.
    return undefined;
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Not there.
    return undefined;
  }
}
