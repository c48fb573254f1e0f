import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { readForeignFileSync } from '../../state/foreign-file.js';

/**
 * The home folder of a workspace's commands: it lasts, so that caches do, and nothing of the user's own is in
 * it but the name to put on commits. `hidden`: files of the workspace that git is not to add, because commands cannot
 * read them, told from the workspace.
 */
export function openPrivateHome(home: string, realHome: string, hidden: () => readonly string[]): string {
  if (existsSync(home)) return home;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const identity = gitIdentity(join(realHome, '.gitconfig'));
  writeFileSync(join(home, '.npmrc'), NPM_SETTINGS);
  writeFileSync(join(home, '.gitconfig'), `${identity ?? ''}[core]\n\texcludesFile = ~/${IGNORED}\n`);
  writeFileSync(
    join(home, IGNORED),
    hidden()
      .map((path) => `/${path}\n`)
      .join(''),
  );
  return home;
}

const IGNORED = '.git-ignored';

/** Without a network npm would try again for minutes before it says so. */
const NPM_SETTINGS = 'fetch-retries=0\nupdate-notifier=false\n';

/** Where the home folder of a workspace lies. */
export function privateHomeOf(stateFolder: string, workspace: string): string {
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  return join(stateFolder, 'home', name);
}

const MAX_GITCONFIG_BYTES = 1024 * 1024;

/** The [user] section of a git configuration, name and address alone. */
function gitIdentity(file: string): string | undefined {
  const read = readForeignFileSync(file, { maxBytes: MAX_GITCONFIG_BYTES, links: 'anywhere' });
  const text = read.kind === 'bytes' ? read.bytes.toString('utf8') : '';
  const [, section = ''] = /^\s*\[user\]([^[]*)/m.exec(text) ?? [];
  const lines = section.split('\n').filter((line) => /^\s*(name|email)\s*=/.test(line));
  return lines.length === 0 ? undefined : `[user]\n${lines.join('\n')}\n`;
}

/** The server's own files that lie in the workspace, or would. */
export function ownFilesIn(
  workspace: string,
  { never }: ReturnType<PermissionPolicy['patterns']>,
): readonly string[] {
  return never
    .map(({ pattern }) => relative(workspace, pattern))
    .filter((path) => path !== '' && !path.startsWith('..') && !/[*?[\\]/.test(path));
}
