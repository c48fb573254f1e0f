import { readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { LISTING, openUp } from '../workspace/open-up.js';
import { SEEN_REAL } from './carrier/seen-real.js';
import { entriesOf, harmfulKey } from './config-verdict.js';
import { HOOK_NAMES } from './door-names.js';
import { entriesIn, look, readRegularFile } from './git-files.js';
import type { GitPlace } from './git-place.js';
import { execLines, strangeStrategies, TODO_LISTS, withoutExec } from './sequencer-lists.js';

type DoorKind =
  | 'commondir'
  | 'config'
  | 'hook'
  | 'attributes'
  | 'alternates'
  | 'remote'
  | 'todo'
  | 'strategy'
  | 'gitdir'
  | 'pointer'
  | 'named';

/** What a clone of the workspace's own repository borrows from, until the command has ended; outside nothing is there. */
const OWN_OBJECTS = `${SEEN_REAL}/objects`;

/** A file that makes git run something or look elsewhere. */
export interface Door {
  readonly path: string;
  readonly kind: DoorKind;
  readonly place: GitPlace;
}

/** How doors are looked at. */
export interface DoorView {
  /** Folders that commands may write. */
  readonly roots: readonly string[];
  /** Nothing of the command is left, so that whatever it was writing is finished. */
  readonly isOver: boolean;
}

/** What is wrong with one, and the text that belongs there instead; no text: nothing does. */
export interface DoorProblem {
  readonly why: string;
  readonly instead: string | undefined;
}

/** Those of a place that exist. */
export function doorsIn(place: GitPlace): readonly Door[] {
  const { folder, isMounted } = place;
  const at = (kind: DoorKind, ...names: string[]): readonly Door[] =>
    names.map((name) => ({ path: join(folder, name), kind, place }));
  const inside = (kind: DoorKind, name: string): readonly Door[] => {
    // One that cannot be listed holds hooks all the same.
    openUp(join(folder, name), LISTING);
    return entriesIn(join(folder, name)).flatMap((entry) => at(kind, join(name, entry.name)));
  };
  return [
    ...at('commondir', 'commondir'),
    ...at('config', 'config.worktree', ...(isMounted ? [] : ['config'])),
    ...at('attributes', 'info/attributes'),
    ...at('alternates', 'objects/info/alternates', 'objects/info/http-alternates'),
    ...inside('remote', 'remotes'),
    ...inside('remote', 'branches'),
    ...(isMounted ? [] : inside('hook', 'hooks')),
    ...at('todo', ...TODO_LISTS),
    ...at('strategy', 'rebase-merge/strategy', 'sequencer/opts'),
    ...(basename(dirname(folder)) === 'worktrees' ? at('gitdir', 'gitdir') : []),
  ].filter(({ path }) => look(path) !== undefined);
}

/** Files in a folder that `core.hooksPath` names and that nobody could mount. */
export function hooksIn(folder: string, place: GitPlace): readonly Door[] {
  return HOOK_NAMES.map((name) => ({ path: join(folder, name), kind: 'hook' as const, place })).filter(
    ({ path }) => look(path) !== undefined,
  );
}

/** What a door is now, so that a change is seen: its text, or where it leads. */
export function stateOf(path: string): string {
  const found = look(path);
  if (found === undefined) return 'nothing';
  if (found.isSymbolicLink()) return `link ${targetOf(path)}`;
  const text = found.isFile() ? readRegularFile(path) : undefined;
  return text === undefined
    ? `${found.mode} ${found.ino} ${found.size} ${found.mtimeMs}`
    : `${found.mode & 0o111 ? 'program' : 'text'} ${text}`;
}

/** The text in such a state. */
function textIn(state: string | undefined): string | undefined {
  return state === undefined ? undefined : /^(?:program|text) (.*)$/s.exec(state)?.[1];
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Exchanged meanwhile; the next look sees what it is.
    return '';
  }
}

/** `before`: what it was when the command began, if it was there. */
export function judgeDoor(door: Door, before: string | undefined, view: DoorView): DoorProblem | undefined {
  const found = look(door.path);
  if (found === undefined || (found.isDirectory() && isNamed(door))) return undefined;
  const instead = textIn(before);
  if (!found.isFile()) return { why: 'is no plain file', instead };
  const why = reasonAgainst(door, readRegularFile(door.path), instead, view);
  if (why === undefined) return undefined;
  if (door.kind !== 'todo') return { why, instead };
  return { why, instead: withoutExec(readRegularFile(door.path) ?? '', execLines(instead ?? '')) };
}

/** As a folder git runs nothing of that name. */
function isNamed({ kind }: Door): boolean {
  return kind === 'hook' || kind === 'named';
}

function reasonAgainst(
  { path, kind, place }: Door,
  text: string | undefined,
  before: string | undefined,
  { roots, isOver }: DoorView,
): string | undefined {
  if (text === undefined) return 'is larger than git would make it, or cannot be read';
  // Somebody is writing it, and git refuses it as it is.
  if (text === '' || (kind === 'config' && !isOver && entriesOf(text) === undefined)) return undefined;
  const isInside = (target: string): boolean => roots.some((root) => isWithin(target, root));
  switch (kind) {
    case 'commondir':
      return leadsTo(resolve(place.folder, firstLineOf(text)), place.common, isInside)
        ? undefined
        : 'sends git to another folder for its configuration';
    case 'config': {
      const key = harmfulKey(text, place.folder, roots);
      return key === undefined ? undefined : `sets ${key}, which may run a program or lead git elsewhere`;
    }
    case 'hook':
      return path.endsWith('.sample') ? undefined : 'is a hook, which git runs';
    case 'named':
      return 'is what a setting of the user names for git to run or obey';
    case 'attributes':
      return /(^|\s)(filter|diff|merge)=/m.test(text) ? 'chooses programs that git runs on files' : undefined;
    case 'alternates':
      return isBorrowingInside(path, text, place.folder, isInside)
        ? undefined
        : 'makes git read objects from elsewhere';
    case 'remote':
      return 'names a place that git fetches from and pushes to';
    case 'todo':
      return execLines(text).some((line) => !execLines(before ?? '').includes(line))
        ? 'holds commands that `git rebase --continue` would run'
        : undefined;
    case 'strategy':
      return strangeStrategies(place.folder).includes(path) ? 'names a program to merge with' : undefined;
    case 'gitdir':
      return before === undefined || isInside(resolve(place.folder, firstLineOf(text)))
        ? undefined
        : 'says that a worktree lies elsewhere';
    case 'pointer': {
      const target = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
      return target !== undefined && isInside(resolve(dirname(path), target))
        ? undefined
        : 'leads git to a repository outside of what commands may write';
    }
  }
}

function isBorrowingInside(
  path: string,
  text: string,
  folder: string,
  isInside: (path: string) => boolean,
): boolean {
  return (
    !path.endsWith('http-alternates') &&
    linesOf(text).every(
      (line) => line === OWN_OBJECTS || (!line.startsWith('"') && isInside(resolve(folder, 'objects', line))),
    )
  );
}

function leadsTo(target: string, wanted: string | undefined, isInside: (path: string) => boolean): boolean {
  return wanted === undefined ? isInside(target) : target === wanted;
}

function firstLineOf(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
