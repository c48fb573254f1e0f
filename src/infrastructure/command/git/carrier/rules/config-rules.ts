import { isAbsolute, normalize } from 'node:path';

const BOOL = 'true|false|yes|no|on|off|0|1|';
const WORDS = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'i');
const REFSPEC = /^[+^]?(?!-)[\w./@+-]*\*?[\w./@+-]*(?::(?!-)[\w./@+-]*\*?[\w./@+-]*)?$/;

/**
 * Keys that say how something is shown, named or combined, with the values that git takes: it runs nothing for them, is led
 * nowhere, and does not stop at any.
 */
const DATA: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^user\.(name|email|signingkey)$|^branch\..*\.description$/s, /^(?!-)/],
  [
    /^user\.useconfigonly$|^remote\..*\.(prune|prunetags|promisor|skipdefaultupdate|skipfetchall)$|^core\.(sparsecheckout|sparsecheckoutcone|filemode|ignorecase|quotepath|precomposeunicode|symlinks)$|^extensions\.worktreeconfig$|^index\.sparse$|^submodule\.(.*\.(active|shallow)|recurse)$/s,
    WORDS(BOOL),
  ],
  [
    /^(rebase\.(autostash|autosquash|updaterefs|stat)|merge\.autostash|fetch\.(prune|prunetags)|diff\.(mnemonicprefix|noprefix|indentheuristic|relative)|log\.(follow|abbrevcommit)|rerere\.(enabled|autoupdate)|push\.(autosetupremote|followtags)|status\.(short|branch)|checkout\.guess|advice\.[a-z]+)$/,
    WORDS(BOOL),
  ],
  [/^core\.autocrlf$/, WORDS(`${BOOL}|input`)],
  [/^core\.safecrlf$/, WORDS(`${BOOL}|warn`)],
  [/^core\.eol$/, WORDS('lf|crlf|native')],
  [/^core\.abbrev$/, WORDS('auto|no|[1-3]?\\d')],
  [/^core\.commentchar$/, /^(?:[#;!%&|+=]|auto)$/],
  [/^core\.whitespace$/, /^[a-z0-9,=-]*$/],
  [/^core\.logallrefupdates$/, WORDS(`${BOOL}|always`)],
  // It makes extensions count; back to 0 would make git stop at them.
  [/^core\.repositoryformatversion$/, /^1$/],
  [/^remote\..*\.fetch$/s, REFSPEC],
  [/^remote\..*\.tagopt$/s, /^--(?:no-)?tags$/],
  [/^remote\..*\.partialclonefilter$/s, /^(?:blob:none|blob:limit=\d+[kmg]?|tree:\d+)$/],
  [/^branch\..*\.merge$/s, /^refs\/[\w./@+-]+$/],
  [/^(branch\..*|pull)\.rebase$/s, WORDS(`${BOOL}|interactive|merges|i|m`)],
  [/^branch\.autosetupmerge$/, WORDS(`${BOOL}|always|simple|inherit`)],
  [/^branch\.autosetuprebase$/, WORDS('never|local|remote|always')],
  [/^(branch|tag)\.sort$/, /^-?(?:(?:version:|v:)?refname|(?:committer|creator|tagger|author)date)$/],
  [/^submodule\..*\.branch$/s, /^(?!-)[\w./@+-]+$/],
  [/^submodule\..*\.ignore$/s, WORDS('all|dirty|untracked|none')],
  [/^submodule\..*\.fetchrecursesubmodules$/s, WORDS(`${BOOL}|on-demand`)],
  [/^submodule\.active$/, /^[\w./*-]+$/],
  [/^(pull|merge)\.ff$/, WORDS(`${BOOL}|only`)],
  [/^merge\.conflictstyle$/, WORDS('merge|diff3')],
  [/^merge\.(log|stat)$|^(diff|merge)\.renamelimit$|^diff\.context$/, /^\d{1,4}$/],
  [/^(diff|merge|status)\.renames$/, WORDS(`${BOOL}|copies|copy`)],
  [/^merge\.directoryrenames$/, WORDS(`${BOOL}|conflict`)],
  [/^diff\.algorithm$/, WORDS('myers|minimal|patience|histogram|default')],
  [/^diff\.colormoved$/, WORDS(`${BOOL}|default|plain|blocks|zebra|dimmed-zebra`)],
  [/^diff\.submodule$/, WORDS('short|log|diff')],
  [/^push\.default$/, WORDS('nothing|current|upstream|tracking|simple|matching')],
  [/^log\.date$/, WORDS('default|iso|iso8601|iso-strict|relative|local|short|raw|human|unix|rfc|rfc2822')],
  [/^log\.decorate$/, WORDS(`${BOOL}|short|full|auto`)],
  [/^color\.[a-z]+$|^column\.ui$/, WORDS(`${BOOL}|always|never|auto`)],
  [/^status\.showuntrackedfiles$/, WORDS('no|normal|all')],
  [/^(init\.defaultbranch|clone\.defaultremotename)$/, /^[A-Za-z0-9][\w/-]*$/],
  [/^lfs\.repositoryformatversion$/, /^0$/],
];
const NETWORK =
  /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/(?!-)\S+$|^(?!-)(?:[\w.-]+@)?[\w.-]+:(?![-:]|\/\/)\S+$/;
const ADDRESS = /^(?:remote|submodule)\..*\.(?:url|pushurl)$/s;
const REMOTE = /^(?:branch\..*\.(?:remote|pushremote)|remote\.pushdefault|extensions\.partialclone)$/s;

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
  return DATA.some(([pattern, values]) => pattern.test(name) && values.test(value));
}

/** Inside the workspace, and in no git folder. */
export function worksIn(workspace: string, folder: string): (path: string) => boolean {
  return (path) => {
    const full = normalize(isAbsolute(path) ? path : `${folder}/${path}`);
    return full.startsWith(`${workspace}/`) && !/(?:^|\/)\.git(?:\/|$)/i.test(full.slice(workspace.length));
  };
}

type Entries = readonly (readonly [string, string])[];

/** A key whose remote has no address: git would take the remote's name for a path. */
export interface LooseKey {
  readonly key: string;
  readonly remote: string;
}

/** The first that is not so in `before` as well. */
export function looseKey(before: Entries, after: Entries): LooseKey | undefined {
  const loose = (entries: Entries): readonly LooseKey[] => {
    const names = new Set(entries.map(([key]) => key));
    return entries
      .flatMap(([key, value]) => {
        const remote = REMOTE.test(key) ? value : /^remote\.(.+)\.[^.]+$/s.exec(key)?.[1];
        return remote === undefined || remote === '.' ? [] : { key, remote };
      })
      .filter(({ remote }) => !names.has(`remote.${remote}.url`));
  };
  const textOf = ({ key, remote }: LooseKey): string => `${key}\n${remote}`;
  const known = new Set(loose(before).map(textOf));
  return loose(after).find((one) => !known.has(textOf(one)));
}
