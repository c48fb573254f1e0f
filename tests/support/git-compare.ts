import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Who and when every commit is, inside and beside, so that equal work makes equal ids. */
export const FIXED_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'dev',
  GIT_AUTHOR_EMAIL: 'dev@example.com',
  GIT_COMMITTER_NAME: 'dev',
  GIT_COMMITTER_EMAIL: 'dev@example.com',
  GIT_AUTHOR_DATE: '2030-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z',
  GIT_EDITOR: 'true',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'protocol.file.allow',
  GIT_CONFIG_VALUE_0: 'always',
  GIT_CONFIG_KEY_1: 'safe.directory',
  GIT_CONFIG_VALUE_1: '*',
  GIT_CONFIG_KEY_2: 'init.defaultBranch',
  GIT_CONFIG_VALUE_2: 'main',
};

/** What git keeps about work that has begun and is not finished. */
const UNFINISHED = [
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'ORIG_HEAD',
  'SQUASH_MSG',
  'BISECT_LOG',
  'BISECT_START',
  'rebase-merge/onto',
  'rebase-merge/git-rebase-todo',
  'rebase-merge/done',
  'rebase-apply/next',
  'sequencer/todo',
];

/** Sections by name, each a sorted list of lines. */
export type GitState = ReadonlyMap<string, readonly string[]>;

/** `$G` and `$C`: git's folder of this worktree, and the one that all share. */
const FOLDERS = '{ read -r G; read -r C; } < <(git rev-parse --git-dir --git-common-dir)';

const PARTS = [
  ['HEAD', 'cat "$G/HEAD"; git rev-parse -q --verify HEAD'],
  ['refs', 'git for-each-ref'],
  ['index', 'git ls-files -s -z'],
  ['untracked', 'git ls-files -o --exclude-standard -z'],
  ['stash', `[ ! -f "$C/logs/refs/stash" ] || git stash list --format='%gd %T %s'`],
  ['reflog', `[ ! -f "$G/logs/HEAD" ] || tail -n 30 "$G/logs/HEAD"`],
  ['worktrees', '[ ! -d "$C/worktrees" ] || git worktree list --porcelain'],
  ['sparse', '[ ! -f "$G/info/sparse-checkout" ] || git ls-files -t -z | grep -z ^S'],
  ['submodules', '[ ! -f .gitmodules ] || git submodule status --recursive 2>&1'],
  ['unfinished', `for f in ${UNFINISHED.join(' ')}; do [ ! -f "$G/$f" ] || sed "s|^|$f: |" "$G/$f"; done`],
] as const;

const SCRIPT = [FOLDERS, ...PARTS.map(([, text]) => `${text}; printf '\\1'`)].join('\n');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Plain bash, as somebody beside the agent would run it. */
export function plainBash(script: string, cwd: string, home: string): Promise<Ran> {
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...FIXED_ENVIRONMENT };
  return new Promise((done) => {
    const child = execFile(
      'bash',
      ['--noprofile', '--norc', '-c', script],
      { cwd, env, encoding: 'utf8', timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        done({ code, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

/** Everything that can be told about a repository, seen from outside; `root` is left out of every line. */
export async function gitState(workspace: string, root: string, home: string): Promise<GitState> {
  const { stdout } = await plainBash(`export GIT_OPTIONAL_LOCKS=0\n${SCRIPT}`, workspace, home);
  const texts = stdout.split('\u0001');
  const state = new Map<string, readonly string[]>();
  for (const [index, [name, command]] of PARTS.entries()) {
    const separator = command.includes('-z') ? '\0' : '\n';
    const lines = (texts[index] ?? '').replaceAll(root, '').split(separator);
    state.set(
      name,
      lines.filter((line) => line !== ''),
    );
  }
  const files: string[] = [];
  const nested: string[] = [];
  walk(workspace, '', files, nested);
  state.set('files', files);
  const repositories = await Promise.all(nested.map((path) => nestedState(workspace, path, root, home)));
  state.set('nested', repositories.flat());
  return state;
}

/** The files of the workspace without git's own folders, which `nested` names. */
function walk(workspace: string, below: string, files: string[], nested: string[]): void {
  for (const name of readdirSync(join(workspace, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const full = join(workspace, path);
    const stats = lstatSync(full);
    if (name === '.git' || name.endsWith('.git')) {
      if (path !== '.git') nested.push(name === '.git' ? below : path);
    } else if (stats.isDirectory()) {
      files.push(`${path} folder`);
      walk(workspace, path, files, nested);
    } else if (stats.isSymbolicLink()) files.push(`${path} link ${readlinkSync(full)}`);
    else if (stats.isFile()) {
      const hash = createHash('sha1').update(readFileSync(full)).digest('hex');
      files.push(`${path} ${stats.mode & 0o100 ? 'executable' : 'file'} ${hash}`);
    } else files.push(`${path} special`);
  }
}

async function nestedState(
  workspace: string,
  path: string,
  root: string,
  home: string,
): Promise<readonly string[]> {
  const script = 'git rev-parse HEAD; git for-each-ref; git ls-files -s 2>/dev/null';
  const { stdout } = await plainBash(script, join(workspace, path), home);
  return stdout
    .replaceAll(root, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${path}: ${line}`);
}

export interface StateDifference {
  readonly section: string;
  readonly only: 'first' | 'second';
  readonly line: string;
}

export function differences(first: GitState, second: GitState): readonly StateDifference[] {
  const found: StateDifference[] = [];
  for (const section of new Set([...first.keys(), ...second.keys()])) {
    const [left, right] = [first.get(section) ?? [], second.get(section) ?? []];
    for (const line of left) if (!right.includes(line)) found.push({ section, only: 'first', line });
    for (const line of right) if (!left.includes(line)) found.push({ section, only: 'second', line });
  }
  return found;
}

/** The files whose content, kind or entry in the index is another one in the second state. */
export function changedPaths(first: GitState, second: GitState): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { section, line } of differences(first, second)) {
    if (section === 'files')
      paths.add(line.replace(/ (folder|special|link .*|(file|executable) [0-9a-f]{40})$/s, ''));
    if (section === 'index') paths.add(line.slice(line.indexOf('\t') + 1));
  }
  return paths;
}
