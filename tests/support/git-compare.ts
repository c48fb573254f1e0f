import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

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

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Plain bash, as somebody beside the agent would run it. */
export function plainBash(script: string, cwd: string, home: string): Promise<Ran> {
  return plain('bash', ['--noprofile', '--norc', '-c', script], cwd, home);
}

function plain(file: string, args: readonly string[], cwd: string, home: string): Promise<Ran> {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    ...(file === 'git' && { GIT_OPTIONAL_LOCKS: '0' }),
    ...FIXED_ENVIRONMENT,
  };
  return new Promise((done) => {
    const options = { cwd, env, encoding: 'utf8', timeout: 300_000, maxBuffer: 64 * 1024 * 1024 } as const;
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      done({ code, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Everything that can be told about a repository, seen from outside; `root` is left out of every line. */
export async function gitState(workspace: string, root: string, home: string): Promise<GitState> {
  const [own, common] = gitFolders(workspace);
  const inOwn = (name: string): string => textOf(join(own, name));
  const ask = async (separator: string, ...args: string[]): Promise<readonly string[]> =>
    linesOf((await plain('git', args, workspace, home)).stdout, root, separator);
  const askIf = (path: string, ...args: string[]): Promise<readonly string[]> =>
    existsSync(path) ? ask('\n', ...args) : Promise.resolve([]);
  const sparse = async (): Promise<readonly string[]> =>
    existsSync(join(own, 'info/sparse-checkout'))
      ? (await ask('\0', 'ls-files', '-t', '-z')).filter((line) => line.startsWith('S'))
      : [];
  const files: string[] = [];
  const nested: string[] = [];
  walk(workspace, '', files, nested);
  const repositories = await Promise.all(nested.map((path) => nestedState(workspace, path, root, home)));
  const unfinished = UNFINISHED.flatMap((name) =>
    linesOf(inOwn(name), root).map((line) => `${name}: ${line}`),
  );
  return new Map<string, readonly string[]>([
    ['HEAD', linesOf(inOwn('HEAD'), root)],
    ['refs', await ask('\n', 'for-each-ref')],
    ['index', await ask('\0', 'ls-files', '-s', '-z')],
    ['untracked', await ask('\0', 'ls-files', '-o', '--exclude-standard', '-z')],
    ['stash', await askIf(join(common, 'logs/refs/stash'), 'stash', 'list', '--format=%gd %T %s')],
    ['reflog', linesOf(inOwn('logs/HEAD'), root).slice(-30)],
    ['worktrees', await askIf(join(common, 'worktrees'), 'worktree', 'list', '--porcelain')],
    ['sparse', await sparse()],
    ['submodules', await askIf(join(workspace, '.gitmodules'), 'submodule', 'status', '--recursive')],
    ['unfinished', unfinished],
    ['files', files],
    ['nested', repositories.flat()],
  ]);
}

/** git's folder of this worktree, and the one that all share. */
function gitFolders(workspace: string): readonly [string, string] {
  const pointer = /^gitdir: (.*)$/m.exec(textOf(join(workspace, '.git')))?.[1];
  const own = resolve(workspace, pointer ?? '.git');
  return [own, resolve(own, textOf(join(own, 'commondir')).trim() || '.')];
}

/** Empty for what is no file. */
function textOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : '';
}

function linesOf(text: string, root: string, separator = '\n'): readonly string[] {
  return text
    .replaceAll(root, '')
    .split(separator)
    .filter((line) => line !== '');
}

/** Tells one state of everything in a folder from the next; undefined: a git in the background tidies up. */
export function fingerprint(folder: string): string | undefined {
  const lines: string[] = [];
  for (const entry of entriesOf(folder) ?? []) {
    const stats = lstatSync(join(folder, entry), { bigint: true, throwIfNoEntry: false });
    // The server takes its placeholder away when it likes; it says nothing.
    if (stats === undefined || entry.endsWith('/commondir')) continue;
    const { ino, size, mode, mtimeNs, ctimeNs } = stats;
    lines.push([entry, ino, size, mode, ...(stats.isFile() ? [mtimeNs, ctimeNs] : [])].join(':'));
  }
  return lines.length === 0 ? undefined : createHash('sha1').update(lines.join('\n')).digest('hex');
}

function entriesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
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
      const content = readFileSync(full);
      const hash = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
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

/** A file of the workspace that is there and not as git's index has it, or of which the index knows nothing. */
export function differsFromIndex(state: GitState, path: string): boolean {
  const line = state.get('files')?.find((file) => file.startsWith(`${path} `));
  const hash = line?.slice(line.lastIndexOf(' ') + 1);
  const isExecutable = line?.startsWith(`${path} executable`) === true;
  const entry = `${isExecutable ? '100755' : '100644'} ${hash} 0\t${path}`;
  return line !== undefined && state.get('index')?.includes(entry) !== true;
}
