import { existsSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { SYSTEM_GIT } from '../../infrastructure/command/git/system-git.js';
import { runProgram } from '../../infrastructure/process/process-starter.js';
import { readForeignFile } from '../../infrastructure/state/foreign-file.js';
import { POLICY_NAMES, SETTINGS_NAMES } from '../configuration/configuration-files.js';

const MAX_BYTES = 1024 * 1024;
const ASK_MS = 10_000;
const ENTRIES = [POLICY_NAMES[0], SETTINGS_NAMES[0], '.castellan/'];

/**
 * Adds our files to the repository's own list of excluded files, which is never committed, so that git works as if they
 * were not there. Returns what was done as text, or undefined if there is nothing to say.
 */
export async function excludeFromGit(workspace: string): Promise<string | undefined> {
  const repository = await repositoryOf(workspace);
  if (repository === undefined) return undefined;
  const { root, exclude } = repository;
  const folder = relative(root, workspace);
  const wanted = ENTRIES.map((name) => `/${folder === '' ? '' : `${folder}/`}${name}`);
  const below =
    folder === ''
      ? ''
      : `\nThis workspace is below the root of its repository, ${root}. Commands see the workspace alone, so git does not find the repository. To use git, run \`castellan init\` in ${root}.`;
  const read = await readForeignFile(exclude, { maxBytes: MAX_BYTES, links: 'nowhere' });
  const text = read.kind === 'bytes' ? read.bytes.toString('utf8') : '';
  if (read.kind !== 'bytes' && existsSync(exclude))
    return `${exclude} cannot be used: add ${wanted.join(', ')} to a list of ignored files.${below}`;
  const lines = new Set(text.split(/\r?\n/));
  const missing = wanted.filter((line) => !lines.has(line));
  if (missing.length === 0) return below === '' ? undefined : below.trim();
  try {
    await mkdir(dirname(exclude), { recursive: true });
    await appendFile(exclude, `${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${exclude} could not be changed (${why}): add ${missing.join(', ')} to it.${below}`;
  }
  return `${exclude}: ${missing.join(', ')} added, so that git leaves them out. To share the policy: git add -f ${POLICY_NAMES[0]}.${below}`;
}

async function repositoryOf(
  workspace: string,
): Promise<{ readonly root: string; readonly exclude: string } | undefined> {
  const git = SYSTEM_GIT.find((path) => existsSync(path));
  if (git === undefined) return undefined;
  const asked = ['rev-parse', '--show-toplevel', '--git-path', 'info/exclude'];
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
  const run = await runProgram(git, ['-C', workspace, ...asked], { timeoutMs: ASK_MS, env: { PATH, HOME } });
  const [root, exclude] = Buffer.from(run.stdout).toString('utf8').split('\n');
  // No repository, a bare one, or one that git does not trust.
  if (run.exitCode !== 0 || !root || !exclude) return undefined;
  return { root, exclude: resolve(workspace, exclude) };
}
