import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BoundedMap } from '../../../domain/bounded-map.js';
import { askAtOnce } from '../../process/ask-at-once.js';
import { isWithin } from '../program/toolchains.js';
import { SYSTEM_GIT } from './system-git.js';

/** Keys that git writes by itself, or that only say how something is shown or stored. Everything else may run something. */
const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|sparsecheckout|sparsecheckoutcone|autocrlf|eol|safecrlf|abbrev|quotepath|compression|loosecompression|bigfilethreshold|preloadindex|untrackedcache|longpaths|commentchar|whitespace|trustctime|checkstat|splitindex|multipackindex|commitgraph|sharedrepository|fscache|deltabasecachelimit|packedgitlimit|packedgitwindowsize|warnambiguousrefs|createobject|hidedotfiles)$/,
  /^extensions\.(objectformat|compatobjectformat|refstorage|worktreeconfig|partialclone|preciousobjects|noop|relativeworktrees)$/,
  /^remote\..*\.(fetch|push|tagopt|mirror|prune|prunetags|promisor|partialclonefilter|skipdefaultupdate|skipfetchall|followremotehead)$/,
  /^remote\.pushdefault$/,
  /^branch\.(.*\.(remote|merge|rebase|pushremote|description)|autosetupmerge|autosetuprebase|sort)$/,
  /^submodule\.(.*\.(active|branch|ignore|fetchrecursesubmodules|shallow)|active|recurse|fetchjobs|propagatebranches|alternatelocation|alternateerrorstrategy)$/,
  /^user\.(name|email|useconfigonly)$/,
  /^(advice|color|column|gc|pack|index|feature|rerere|repack|maintenance|commitgraph|status|branch|fetch|transfer|push|receive|rebase|apply|checkout|clone|init|blame|log|stash|tag|versionsort|worktree|notes)\.(?!.*(command|cmd|program|driver|path|template|dir|hook|exec|config|editor|cert|pathmatch|proc|file|uri|url)$)[a-z]+$/,
  /^color\.[a-z]+\.[a-z]+$/,
  /^pull\.(rebase|ff)$/,
  /^lfs\.repositoryformatversion$/,
  /^commit\.(gpgsign|status|verbose|cleanup)$/,
  /^merge\.(ff|conflictstyle|log|renames|renamelimit|stat|autostash|verifysignatures|directoryrenames|branchdesc)$/,
  /^diff\.(algorithm|renames|renamelimit|context|interhunkcontext|mnemonicprefix|noprefix|colormoved|colormovedws|submodule|ignoresubmodules|wserrorhighlight|indentheuristic|relative|statgraphwidth|autorefreshindex|dirstat|suppressblankempty)$/,
];

/** A name with `::` runs a helper program. */
const REMOTE_HELPER = /^[\w+.-]*::|^-/;
const REMOTE_ADDRESS = /^remote\..*\.(?:url|pushurl)$/s;
const GIT_PATIENCE_MS = 5_000;
const MAX_KNOWN = 500;
const known = new BoundedMap<string, readonly (readonly [string, string])[] | undefined>(MAX_KNOWN);

/**
 * The first key of a configuration that may run a program or lead elsewhere; undefined: there is none. git itself
 * reads the text, without what it includes, and what it cannot read counts as harmful.
 */
export function harmfulKey(text: string, folder: string, roots: readonly string[]): string | undefined {
  const entries = entriesOf(text);
  if (entries === undefined) return 'something that git cannot read';
  return entries.find(([key, value]) => !isHarmless(key, value, folder, roots))?.[0];
}

/** A key of which two configurations say different things, and what is wrong with what it says. */
export interface ChangedKey {
  readonly key: string;
  readonly why: string;
}

const MAY_RUN = 'which may run a program or lead git elsewhere';
const IS_LOCAL =
  'and the value is a path on this machine: when the user pushes or fetches there, git runs the hooks and obeys the settings of the repository at that path';

/** The first key, of those that may run a program or lead elsewhere, that the command has changed. */
export function changedKey(
  before: string,
  now: string,
  folder: string,
  roots: readonly string[],
): ChangedKey | undefined {
  const [all, allNow] = [entriesOf(before) ?? [], entriesOf(now)];
  if (allNow === undefined) return { key: 'something', why: 'which git cannot read now' };
  const [old, fresh] = [all, allNow].map((entries) =>
    entries.filter(([key, value]) => !isHarmless(key, value, folder, roots)),
  );
  const count = Math.max(old?.length ?? 0, fresh?.length ?? 0);
  for (let index = 0; index < count; index += 1) {
    const [was, is] = [old?.[index], fresh?.[index]];
    if (was?.[0] !== is?.[0] || was?.[1] !== is?.[1]) return { key: (is ?? was)?.[0] ?? '', why: MAY_RUN };
  }
  // A path that the user has given to one remote may become another's: `git remote rename`.
  const known = new Set(all.filter((entry) => leadsToPath(entry, all)).map(([, value]) => value));
  const local = allNow.find((entry) => leadsToPath(entry, allNow) && !known.has(entry[1]));
  return local && { key: local[0], why: IS_LOCAL };
}

const REMOTE_NAME = /^(?:branch\..*\.(?:remote|pushremote)|remote\.pushdefault)$/s;
const SCHEME = /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\//i;
/** `user@host:path`: to git a colon before any slash is a host's. */
const HOST_AND_PATH = /^[^-/:][^/:]*:(?!:|\/\/)/;

/** Whether git would take this address, or this name of a remote that has none, for a path. */
function leadsToPath(
  [key, value]: readonly [string, string],
  all: readonly (readonly [string, string])[],
): boolean {
  const name = lowerEnds(key);
  if (REMOTE_ADDRESS.test(name)) return !SCHEME.test(value) && !HOST_AND_PATH.test(value);
  if (!REMOTE_NAME.test(name) || value === '.') return false;
  return !all.some(([other]) => lowerEnds(other) === `remote.${value}.url`);
}

/** git tells the first and the last part of a key in small letters; what is between keeps its own. */
function lowerEnds(key: string): string {
  return key.replace(/^[^.]*|[^.]*$/g, (part) => part.toLowerCase());
}

/** Remotes that were there and have another address now. */
export function movedRemotes(before: string, now: string): readonly string[] {
  const [old, fresh] = [before, now].map((text) => {
    const urls = (entriesOf(text) ?? []).filter(([key]) => REMOTE_ADDRESS.test(key));
    return new Map(
      urls.map(([key]) => [key, urls.filter((entry) => entry[0] === key).map(([, url]) => url)]),
    );
  });
  return [...(old ?? [])].flatMap(([key, urls]) => {
    const later = fresh?.get(key);
    return later === undefined || later.join('\n') === urls.join('\n')
      ? []
      : [`${key} was ${urls.join(', ')} and is ${later.join(', ')} now.`];
  });
}

export function isHarmless(key: string, value: string, folder: string, roots: readonly string[]): boolean {
  const name = key.toLowerCase();
  if (name === 'core.worktree') return roots.some((root) => isWithin(resolve(folder, value), root));
  if (/^(remote|submodule)\..*\.(url|pushurl)$/s.test(name)) return !REMOTE_HELPER.test(value);
  if (/^submodule\..*\.update$/s.test(name)) return /^(checkout|rebase|merge|none)$/.test(value);
  return HARMLESS.some((pattern) => pattern.test(name));
}

/** The entries as git reads them; undefined where it cannot. */
export function entriesOf(text: string): readonly (readonly [string, string])[] | undefined {
  if (text.trim() === '') return [];
  if (known.has(text)) return known.get(text);
  const entries = askGit(text);
  known.set(text, entries);
  return entries;
}

// The text goes in by a pipe, and the folder is one in which git finds no repository whose configuration it would obey.
function askGit(text: string): readonly (readonly [string, string])[] | undefined {
  const git = SYSTEM_GIT.find((path) => existsSync(path));
  if (git === undefined) return undefined;
  const listing = askAtOnce(git, ['config', '--file', '-', '--no-includes', '--list', '-z'], {
    input: text,
    timeoutMs: GIT_PATIENCE_MS,
    env: {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_DIR: '/dev/null',
      HOME: '/',
      LC_ALL: 'C',
    },
  });
  return listing
    ?.split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}
