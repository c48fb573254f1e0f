import { isAbsolute, normalize } from 'node:path';

/** Keys that say how something is shown, named or combined: git runs nothing for them and is led nowhere. */
const DATA: readonly RegExp[] = [
  /^user\.(name|email|signingkey|useconfigonly)$/,
  /^remote\..*\.(fetch|push|tagopt|prune|prunetags|mirror|promisor|partialclonefilter|skipdefaultupdate|skipfetchall)$/s,
  /^branch\..*\.(merge|rebase|description)$/s,
  /^branch\.(autosetupmerge|autosetuprebase|sort)$/,
  /^core\.(sparsecheckout|sparsecheckoutcone|autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|abbrev|commentchar|whitespace|precomposeunicode|symlinks|repositoryformatversion|logallrefupdates)$/,
  /^extensions\.(worktreeconfig|partialclone)$/,
  /^index\.sparse$/,
  /^submodule\..*\.(active|branch|ignore|shallow|fetchrecursesubmodules)$/s,
  /^submodule\.(active|recurse)$/,
  /^(pull|rebase|merge|push|fetch|diff|status|log|rerere|stash|tag|column|init|clone|checkout|advice|color)\.(rebase|ff|autostash|autosquash|updaterefs|conflictstyle|log|stat|renames|renamelimit|directoryrenames|default|autosetupremote|followtags|prune|prunetags|verbose|algorithm|context|mnemonicprefix|noprefix|colormoved|colormovedws|submodule|indentheuristic|relative|enabled|autoupdate|ui|sort|showuntrackedfiles|branch|short|date|decorate|abbrevcommit|follow|defaultbranch|defaultremotename|guess|[a-z]*hint|detachedhead|[a-z]*advice)$/,
  /^color\.[a-z]+\.[a-z]+$/,
  /^lfs\.repositoryformatversion$/,
];
const NETWORK =
  /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/(?!-)\S+$|^(?!-)(?:[\w.-]+@)?[\w.-]+:(?![-:]|\/\/)\S+$/;
const ADDRESS = /^(?:remote|submodule)\..*\.(?:url|pushurl)$/s;
const REMOTE = /^(?:branch\..*\.(?:remote|pushremote)|remote\.pushdefault)$/s;

export interface ConfigPlace {
  /** Addresses that the user has given to something already. */
  readonly known: ReadonlySet<string>;
  /** For a submodule: where its files may lie. */
  readonly mayWorkIn: ((path: string) => boolean) | undefined;
}

/**
 * Whether a setting that a command made becomes the user's. A path as a remote's address is code: a push there runs the hooks
 * of the repository at that path.
 */
export function settingPasses(key: string, value: string, { known, mayWorkIn }: ConfigPlace): boolean {
  const name = key.replace(/^[^.]*|[^.]*$/g, (part) => part.toLowerCase());
  if (/[\n\0]/.test(value) || value.length > 10_000) return false;
  if (ADDRESS.test(name)) return NETWORK.test(value) || known.has(value);
  if (REMOTE.test(name))
    return value === '.' || (/^[A-Za-z0-9][\w/-]*$/.test(value) && !value.includes('//'));
  if (/^submodule\..*\.update$/s.test(name)) return /^(?:checkout|rebase|merge|none)$/.test(value);
  if (name === 'core.worktree') return mayWorkIn?.(value) === true;
  return DATA.some((pattern) => pattern.test(name));
}

/** Inside the workspace, and in no git folder. */
export function worksIn(workspace: string, folder: string): (path: string) => boolean {
  return (path) => {
    const full = normalize(isAbsolute(path) ? path : `${folder}/${path}`);
    return full.startsWith(`${workspace}/`) && !/(?:^|\/)\.git(?:\/|$)/i.test(full.slice(workspace.length));
  };
}

type Entries = readonly (readonly [string, string])[];

/** A branch whose remote has no address, and which git would therefore take for a path; undefined: there is none but in `before`. */
export function leadsToPath(before: Entries, after: Entries): string | undefined {
  const loose = (entries: Entries): readonly string[] => {
    const names = entries.map(([key]) => key);
    return entries
      .filter(([key, value]) => REMOTE.test(key) && value !== '.' && !names.includes(`remote.${value}.url`))
      .map(([key, value]) => `${key} = ${value}`);
  };
  const known = new Set(loose(before));
  return loose(after).find((entry) => !known.has(entry));
}
