import { normalize, resolve } from 'node:path';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { KERNEL_FOLDERS, SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { isWithin } from '../program/toolchains.js';

const DENIED_WORDS = /permission denied|EACCES/i;
const READ_ONLY_WORDS = /read-only file system|EROFS/i;
const MISSING_WORDS = /no such file or directory|ENOENT/i;
// A mount keeps its name: what saves by renaming, as sed -i does, names the new file and not the one it means.
const BUSY_WORDS = /device or resource busy|\bEBUSY\b|resource busy or locked/i;
/** npm and others name the path on a line of its own. */
const PATH_LINE = /\b(?:path|dest|file)\b/i;
const PATH = /[^\s'"`‘’:,;()[\]]+/g;
const MOST_NAMES = 5;
const MOST_PATHS = 100;

export interface GuardHints {
  readonly sentences: readonly string[];
  /** What the sentences explain, so that nothing else has to. */
  readonly explains: { readonly denied: boolean; readonly readOnly: boolean };
}

/** What to tell an agent whose command met a file that is hidden from it or kept from changing. */
export function explainGuards(said: string, text: string, job: SandboxJob): GuardHints {
  const { hide, readOnlyInside, couldAppear = [], pinned = [] } = job.view;
  const closed = [...readOnlyInside, ...couldAppear];
  const at = (words: RegExp, guards: readonly string[]): readonly string[] =>
    guardsAt(said, words, guards, job.cwd);
  const hidden = withPaths(namesIn(said, DENIED_WORDS, hide), [
    ...at(DENIED_WORDS, hide),
    ...at(MISSING_WORDS, hide),
  ]);
  const busy = BUSY_WORDS.test(said);
  const fixed = withPaths(
    [...namesIn(said, READ_ONLY_WORDS, closed), ...(busy ? namesIn(text, /^/, closed) : [])],
    at(READ_ONLY_WORDS, closed),
  );
  const kept = [...new Set(at(BUSY_WORDS, [...hide, ...readOnlyInside, ...pinned]))];
  const gone = namesIn(said, DENIED_WORDS, job.without ?? []);
  const isUnnamed = busy && kept.length + fixed.length === 0 && hide.length + readOnlyInside.length > 0;
  return {
    sentences: [
      ...(hidden.length > 0 ? [explainHidden(hidden)] : []),
      ...(fixed.length > 0 ? [explainProtected(fixed)] : []),
      ...(kept.length > 0 ? [explainKept(kept)] : []),
      ...(isUnnamed ? [KEPT_SOMETHING] : []),
      ...(gone.length > 0 ? [explainGone(gone)] : []),
    ],
    explains: { denied: hidden.length + gone.length > 0, readOnly: fixed.length > 0 },
  };
}

/** Names, and the paths that none of them is about. */
function withPaths(names: readonly string[], paths: readonly string[]): readonly string[] {
  const others = paths.filter((path) => !names.includes(path.slice(path.lastIndexOf('/') + 1)));
  return [...new Set([...names, ...others])];
}

/** The paths in lines with an error that are guarded, lie in something that is, or hold it. */
function guardsAt(said: string, words: RegExp, guards: readonly string[], cwd: string): readonly string[] {
  if (guards.length === 0 || !words.test(said)) return [];
  const known = new Set(guards);
  const isBusy = words === BUSY_WORDS;
  const named = said
    .split('\n')
    .filter((line) => words.test(line) || PATH_LINE.test(line))
    .flatMap((line) => line.match(PATH) ?? [])
    .slice(0, MOST_PATHS);
  return [...new Set(named)]
    .filter((name) => {
      const path = normalize(resolve(cwd, name)).replace(/(?<=.)\/$/, '');
      // A folder that holds something guarded cannot be moved, and everything else can be done with it.
      return (
        isGuarded(path, known) || (isBusy && path !== cwd && guards.some((guard) => isWithin(guard, path)))
      );
    })
    .slice(0, MOST_NAMES);
}

function isGuarded(path: string, guards: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (guards.has(path.slice(0, end))) return true;
  return false;
}

/** The paths of a list that the lines with an error name, by their last part: commands name them in many ways. */
function namesIn(said: string, words: RegExp, paths: readonly string[]): readonly string[] {
  const lines = said.split('\n').filter((line) => words.test(line));
  if (lines.length === 0) return [];
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  return [...names]
    .filter((name) => name !== '' && lines.some((line) => isNamed(line, name)))
    .slice(0, MOST_NAMES);
}

/** As a whole: `.env` is neither in `my.env` nor in `.env.example`. */
function isNamed(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!/[\w.-]/.test(line.charAt(at - 1)) && !/^(?:[\w-]|\.\w)/.test(line.slice(end, end + 2))) return true;
  }
  return false;
}

function explainHidden(names: readonly string[]): string {
  return `Commands cannot read ${names.join(', ')}: the policy hides secrets from them. Work without, or ask the user.`;
}

function explainGone(names: readonly string[]): string {
  return `The policy denies ${names.join(', ')}: to commands it does not exist. Do the work with another program, or ask the user.`;
}

function explainProtected(names: readonly string[]): string {
  return `Commands cannot change ${names.join(', ')}: the policy denies it, or other programs execute or obey it later, so it is protected. Ask the user to make the change.`;
}

function explainKept(names: readonly string[]): string {
  return `Commands can neither remove nor rename ${names.join(', ')}: it is, or holds, a file that the policy hides from them or keeps as it is. What else the command was to remove may be gone. Ask the user to remove it.`;
}

const KEPT_SOMETHING =
  'Commands can neither remove nor rename files that the policy hides from them or keeps as they are, nor the folders above them; the command met one. Ask the user to do it.';

const MISSING_ANYHOW = /no such file or directory|ENOENT|does not exist|not found|cannot access|cannot stat/i;
/** A path as programs name one in a message: from the root, from the home, or from above. */
const NAMED_PATH = /(?:^|[\s'"`(=[‘])((?:\/|\.\.\/)[^\s'"`:,;)\]’]+)/g;
const SYSTEM = [...SYSTEM_FOLDERS, ...KERNEL_FOLDERS, '/etc'];
const MOST = 3;

/**
 * A path that a command named and that lies outside its view is missing for it, whether it exists or not: the kernel's
 * "No such file" would send an agent looking for a mistake of its own.
 */
export function explainOutside(
  said: string,
  text: string,
  { view, home, cwd, env }: SandboxJob,
): readonly string[] {
  const lines = said.split('\n').filter((line) => MISSING_ANYHOW.test(line));
  if (lines.length === 0) return [];
  const shown = [...view.read, ...view.write, home, ...SYSTEM, ...toolFolders(env.PATH ?? '')];
  const isPart = !shown.some((folder) => isWithin(cwd, folder));
  const named = lines.flatMap((line) => [
    ...[...line.matchAll(NAMED_PATH)].map(([, path = '']) => path.replace(/[.…]+$/, '')),
    ...(isPart ? wordsOf(line).filter((word) => wordsOf(text).includes(word)) : []),
  ]);
  const places = new Map(named.map((path) => [path, normalize(resolve(cwd, path))]));
  const isTemporary = (path: string): boolean =>
    isWithin(path, '/tmp') && !shown.some((folder) => isWithin(path, folder));
  const temporary = [...places].filter(([, path]) => path !== '/tmp' && isTemporary(path));
  const outside = [...places].filter(
    ([, path]) => path !== '/' && !isWithin(path, '/tmp') && !shown.some((folder) => isWithin(path, folder)),
  );
  return [
    ...(outside.length > 0 ? [outsideText(outside.map(([path]) => path))] : []),
    ...(temporary.length > 0 ? [TEMPORARY] : []),
    ...(/~|HOME/.test(text.replaceAll(home, '~')) && [...places.values()].some((path) => isWithin(path, home))
      ? [OWN_HOME]
      : []),
  ];
}

/** Where only parts of the folder are shown that a command starts in, relative names may lie outside of them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[^\s'"`‘’:,;()[\]|&<>]+/g)?.filter((word) => /[./]/.test(word)) ?? [];
}

const TEMPORARY =
  'The /tmp of commands is their own: what other programs or earlier sessions have put there is not in it.';

const OWN_HOME = 'The home of commands is their own and not the one of the user, whose files are not in it.';

/** `/opt/NAME` of programs on the PATH: they are shown with what belongs to them. */
function toolFolders(path: string): readonly string[] {
  return path.split(':').flatMap((folder) => /^\/opt\/[^/]+/.exec(folder)?.[0] ?? []);
}

function outsideText(paths: readonly string[]): string {
  const names = paths.slice(0, MOST).join(', ');
  return `${names} ${paths.length === 1 ? 'lies' : 'lie'} outside what commands see, so not visible to commands here, whether it exists or not. Work with copies inside the workspace, or ask the user for the folder under filesystem.read of the sandbox in the policy.`;
}
