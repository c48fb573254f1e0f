import type { Ran } from '../git-compare.js';

/** Something that an operation says it has made: a line `MADE kind id` of its output. */
export interface MadeThing {
  /** commit, ref, staged, stash or config. */
  readonly kind: string;
  readonly id: string;
}

/** `who` names its own files and refs; `number` tells its operations apart. */
export type MakingOperation = (who: string, number: number) => string;

export const MAKING: Readonly<Record<string, MakingOperation>> = {
  commit: (who, n) =>
    `echo ${who}${n} >> ${who}.txt; git add ${who}.txt && git commit -qm ${who}${n} && echo MADE commit $(git rev-parse HEAD)`,
  'commit a path': (who, n) =>
    `echo ${who}${n} >> ${who}.txt; git commit -qm ${who}o${n} -- ${who}.txt && echo MADE commit $(git log -1 --format=%H --author=${who})`,
  add: (who, n) =>
    `echo ${who}${n} > ${who}s${n}.txt; git add ${who}s${n}.txt && echo MADE staged $(git hash-object ${who}s${n}.txt)`,
  stash: (who, n) =>
    `echo ${who}st${n} >> ${who}.txt; git stash push -q -m ${who}stash${n} -- ${who}.txt && echo MADE stash ${who}stash${n}`,
  branch: (who, n) => `git branch ${who}b${n} && echo MADE ref refs/heads/${who}b${n}`,
  tag: (who, n) => `git tag ${who}t${n} && echo MADE ref refs/tags/${who}t${n}`,
  config: (who, n) =>
    `git config branch.${who}${n}.description d${n} && echo MADE config branch.${who}${n}.description`,
  remote: (who, n) =>
    `git remote add ${who}r${n} https://e.com/${n} && echo MADE config remote.${who}r${n}.url`,
  'switch -c': (who, n) => `git switch -q -c ${who}sw${n} && echo MADE ref refs/heads/${who}sw${n}`,
  'switch back': () => 'git switch -q main',
  gc: () => 'git gc -q',
  'gc --prune=now': () => 'git gc -q --prune=now',
  'pack-refs': () => 'git pack-refs --all',
  repack: () => 'git repack -adq',
  status: () => 'git status -s > /dev/null',
};

/** An unreachable object goes when somebody asks git to prune now: in plain git a commit in the making, too. */
export const OF_THE_AGENT = Object.keys(MAKING).filter((name) => name !== 'gc --prune=now');
export const OF_THE_USER = Object.keys(MAKING);

export const MAKING_REPOSITORY = `mkdir -p ws; cd ws; git init -q -b main .; git config gc.auto 0
for f in a user agent; do seq 8 > $f.txt; done; git add -A; git commit -qm base`;

export function madeIn(text: string): readonly MadeThing[] {
  return [...text.matchAll(/^MADE (\w+) (\S+)$/gm)].map(([, kind = '', id = '']) => ({ kind, id }));
}

const SEARCH = `git log --all --reflog --format=%H; echo ==commit
git for-each-ref --format='%(refname)'; echo ==ref
git ls-files -s; git log --all --reflog --format=%T | sort -u | while read t; do git ls-tree -r $t; done | sort -u; echo ==staged
git stash list; git log --all --reflog --format=%s; echo ==stash
git config --list --local; echo ==config`;

/** What can be found nowhere: not in refs, logs of refs, index, stash or settings. */
export async function lostThings(
  made: readonly MadeThing[],
  outside: (script: string) => Promise<Ran>,
): Promise<readonly MadeThing[]> {
  const { stdout } = await outside(SEARCH);
  const found = new Map(
    [...stdout.matchAll(/((?:.|\n)*?)==(\w+)\n/g)].map(([, text, kind]) => [kind ?? '', text ?? '']),
  );
  if (found.size !== 5) throw new Error(`The search did not come to its end: ${stdout.slice(-400)}`);
  return made.filter(({ kind, id }) => found.get(kind)?.includes(id) !== true);
}

/** What git says is wrong with a repository; empty: nothing. */
export async function faults(outside: (script: string) => Promise<Ran>): Promise<string> {
  const script =
    'git fsck --no-dangling --no-progress 2>&1 | grep -v "^notice\\|^dangling\\|^unreachable"; git status -s > /dev/null; git rev-parse -q --verify HEAD > /dev/null || echo no HEAD; git log --all --oneline > /dev/null; git stash list > /dev/null; git config --list > /dev/null';
  const { stdout, stderr } = await outside(script);
  return `${stdout}${stderr}`.trim();
}
