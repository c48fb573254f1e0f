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
