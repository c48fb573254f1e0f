import { Dice } from './dice.js';
import type { TwinRepository, TwinStep } from './git-twins.js';

/** A repository and what is done to it, all of it from one number. */
export interface GitSequence {
  readonly repository: TwinRepository;
  readonly steps: readonly TwinStep[];
}

const ORDINARY = ['a.txt', 'b.txt', 'c d.txt', 'sub/e.txt', 'run.sh'];
/** Tracked like the others; commands see them because the repository has them anyway. */
const SECRET = ['.npmrc', 'fixtures/server.pem'];
const PROTECTED = ['CLAUDE.md', '.github/workflows/ci.yml', 'docs/AGENTS.md'];
const DENIED = 'data/private.txt';
const BRANCHES = ['main', 'one', 'two'];
const REVISIONS = [...BRANCHES, 'HEAD~1', 'main~1', 'one~1', 'two~1', '@{-1}'];

export function gitSequence(seed: number): GitSequence {
  const dice = new Dice(seed);
  const denied = dice.below(6) === 0 ? [DENIED] : [];
  const files = [...ORDINARY, ...SECRET, ...PROTECTED, ...denied];
  const repository = {
    script: repositoryScript(dice, files),
    guarded: [...PROTECTED, ...denied],
    secret: SECRET,
    denied,
  };
  const steps = Array.from({ length: 6 + dice.below(7) }, () => step(dice, files));
  return { repository, steps };
}

/** Three branches from one commit, two commits on each. */
function repositoryScript(dice: Dice, files: readonly string[]): string {
  const lines = [
    'w() { mkdir -p "$(dirname "$1")"; seq 8 | sed "s/^$2\\$/$3/" > "$1"; }',
    'c() { git add -A; git commit -q --allow-empty -m "$1"; }',
    'git init -q -b main .',
    ...files.filter(() => dice.below(5) > 0).map((file) => `w '${file}' 0 0`),
    'c base',
  ];
  for (const branch of ['one', 'two', 'main']) {
    lines.push(branch === 'main' ? 'git checkout -q main' : `git checkout -q -b ${branch} main`);
    for (const number of [1, 2]) {
      for (let edits = 1 + dice.below(3); edits > 0; edits -= 1) lines.push(change(dice, files, branch));
      lines.push(`c ${branch}${number}`);
    }
  }
  return lines.join('\n');
}

function change(dice: Dice, files: readonly string[], branch: string): string {
  const file = dice.pick(files);
  if (dice.below(6) === 0) return `rm -f '${file}'`;
  if (dice.below(8) === 0) return `[ ! -f '${file}' ] || chmod +x '${file}'`;
  return `w '${file}' ${1 + dice.below(8)} ${branch}`;
}

const COMMANDS: readonly ((dice: Dice, files: readonly string[]) => string)[] = [
  () => 'git status',
  () => 'git diff HEAD',
  () => 'git add -A',
  () => 'git add -u',
  (dice, files) => `git add '${dice.pick(files)}'`,
  () => 'git commit -m work',
  () => 'git commit -am work',
  () => 'git commit --amend -a --no-edit',
  (dice) => `git checkout ${dice.pick(REVISIONS)}`,
  (dice) => `git checkout ${dice.pick(REVISIONS)}`,
  (dice) => `git switch ${dice.pick(BRANCHES)}`,
  (dice) => `git switch -f ${dice.pick(BRANCHES)}`,
  (dice) => `git switch -c made${dice.below(3)} ${dice.pick(REVISIONS)}`,
  (dice, files) => `git restore '${dice.pick(files)}'`,
  (dice, files) => `git restore --source ${dice.pick(REVISIONS)} --staged --worktree '${dice.pick(files)}'`,
  (dice) => `git checkout ${dice.pick(REVISIONS)} -- .`,
  (dice) => `git merge --no-edit ${dice.pick(REVISIONS)}`,
  (dice) => `git merge --squash ${dice.pick(REVISIONS)}`,
  () => 'git merge --abort',
  (dice) => `git rebase ${dice.pick(REVISIONS)}`,
  (dice) => `git rebase --onto ${dice.pick(BRANCHES)} HEAD~1`,
  () => 'git rebase --abort',
  () => 'git rebase --skip',
  (dice) => `git cherry-pick ${dice.pick(REVISIONS)}`,
  () => 'git cherry-pick --abort',
  () => 'git revert --no-edit HEAD',
  () => 'git stash',
  () => 'git stash -u',
  () => 'git stash pop',
  () => 'git stash apply --index',
  (dice) => `git reset --hard ${dice.pick(REVISIONS)}`,
  () => 'git reset --hard',
  (dice) => `git reset ${dice.pick(REVISIONS)}`,
  (dice, files) => `git rm -f '${dice.pick(files)}'`,
  (dice, files) => `git mv '${dice.pick(files)}' moved${dice.below(3)}.txt`,
  () => 'git clean -fd',
  (dice) => `git worktree add wt${dice.below(2)} --detach ${dice.pick(REVISIONS)}`,
  (dice) => `git worktree remove --force wt${dice.below(2)}`,
  (dice) => `git bisect start HEAD ${dice.pick(REVISIONS)}`,
  () => 'git bisect good',
  () => 'git bisect reset',
];

function step(dice: Dice, files: readonly string[]): TwinStep {
  const kind = dice.below(10);
  if (kind < 2) return { edit: dice.pick(files), text: `by hand ${dice.below(100)}\n` };
  if (kind === 2) return `echo by the agent ${dice.below(100)} >> '${dice.pick(ORDINARY)}'`;
  if (kind === 3 && dice.below(3) === 0) return { remove: dice.pick(files) };
  return dice.pick(COMMANDS)(dice, files);
}
