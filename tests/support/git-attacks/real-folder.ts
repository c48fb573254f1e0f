import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Data of git: what an agent may change, because git runs none of it. Everything else is for the user alone. */
const DATA: readonly RegExp[] = [
  /^objects(\/[0-9a-f]{2}(\/[0-9a-f]{38})?|\/pack(\/pack-[0-9a-f]{40}\.(pack|idx|rev|keep|mtimes))?|\/info(\/(packs|commit-graph))?)?$/,
  /^(refs|logs|rr-cache)(\/.*)?$/s,
  /^(HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|MERGE_MSG|MERGE_MODE|MERGE_RR|MERGE_AUTOSTASH|AUTO_MERGE|SQUASH_MSG)$/,
  /^(CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|COMMIT_EDITMSG|TAG_EDITMSG|packed-refs|shallow|index|sharedindex\.[0-9a-f]+)$/,
  /^BISECT_(LOG|NAMES|START|TERMS|EXPECTED_REV|HEAD|ANCESTORS_OK)$/,
  /^(rebase-merge|rebase-apply|sequencer)(\/.*)?$/s,
  // Attributes only choose among programs that the user's own settings name.
  /^info(\/(attributes|exclude|sparse-checkout|refs))?$/,
  /^(modules|worktrees)$/,
];
/** A folder of the same kind below. */
const BELOW =
  /^(worktrees\/[^/]+|modules\/(?:[^/]+\/)*?[^/]+)(?=\/(?:HEAD|index|objects|refs|logs|config|info|COMMIT_EDITMSG|ORIG_HEAD|packed-refs|sequencer|rebase-merge))\//;

/** Settings that run nothing and lead nowhere: an agent may change them. */
const HARMLESS =
  /^(user\.(name|email)|branch\..*\.(description|merge|rebase|remote)|remote\..*\.(fetch|tagopt)|pull\.rebase|rerere\.enabled|core\.(autocrlf|ignorecase|filemode|sparsecheckout|sparsecheckoutcone)|extensions\.worktreeconfig)$/;

export type FolderPicture = ReadonlyMap<string, string>;

/** All that is no data in a git folder, byte by byte; links and pipes wherever they are. */
export function obeyedIn(folder: string): FolderPicture {
  const picture = new Map<string, string>();
  const visit = (below: string): void => {
    for (const name of readdirSync(join(folder, below)).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      const full = join(folder, path);
      const stats = lstatSync(full);
      const isData = DATA.some((pattern) => pattern.test(path.replace(BELOW, '')));
      if (stats.isDirectory()) {
        if (!isData) picture.set(path, 'folder');
        visit(path);
      } else if (stats.isSymbolicLink()) picture.set(path, `link ${readlinkSync(full)}`);
      else if (!stats.isFile()) picture.set(path, 'special');
      else if (!isData) picture.set(path, contentOf(path, full, stats.mode));
    }
  };
  visit('');
  return picture;
}

function contentOf(path: string, full: string, mode: number): string {
  const content = readFileSync(full);
  if (/(^|\/)config$/.test(path)) return settingsOf(content.toString('utf8'));
  return `${mode & 0o111 ? 'program' : 'file'} ${createHash('sha1').update(content).digest('hex')}`;
}

/** The settings that are not harmless, in order. */
function settingsOf(text: string): string {
  const kept: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[([\w.-]+)(?:\s+"(.*)")?\]/.exec(line);
    if (head !== null) section = [head[1]?.toLowerCase(), head[2]].filter(Boolean).join('.');
    const key = /^\s*([\w-]+)\s*(?:=|$)/.exec(line)?.[1]?.toLowerCase();
    if (key !== undefined && !HARMLESS.test(`${section}.${key}`)) kept.push(`${section}.${line.trim()}`);
    if (key === undefined && head === null && line.trim() !== '') kept.push(line.trim());
  }
  return kept.join('\n');
}

export function pictureDifferences(before: FolderPicture, after: FolderPicture): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path}: ${before.get(path) ?? 'absent'} became ${after.get(path) ?? 'absent'}`);
}
