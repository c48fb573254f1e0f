import type { Dice } from '../dice.js';

/** One kind of thing that people do with git; `line` makes one of it. */
export interface GitOperation {
  readonly name: string;
  readonly line: (dice: Dice) => string;
}

export const FILES = ['a.txt', 'b.txt', 'c d.txt', 'sub/e.txt', 'run.sh', 'deep/er/f.txt'];
export const BRANCHES = ['main', 'one', 'two'];
const REVISIONS = [...BRANCHES, 'HEAD~1', 'main~1', 'one~1', 'two~1', '@{-1}', 'v1'];
/** Addresses that the test's git settings turn into folders. */
export const REMOTE = 'https://example.com/remote.git';
export const LIBRARY = 'https://example.com/library.git';

const file = (dice: Dice): string => `'${dice.pick(FILES)}'`;
const branch = (dice: Dice): string => dice.pick(BRANCHES);
const revision = (dice: Dice): string => dice.pick(REVISIONS);

const EDITING: Readonly<Record<string, (dice: Dice) => string>> = {
  edit: (dice) =>
    `w() { mkdir -p "$(dirname "$1")"; seq 8 | sed "s/^$2\\$/$3/" > "$1"; }; w ${file(dice)} ${1 + dice.below(8)} x${dice.below(5)}`,
  'edit and stage': (dice) => `f=${file(dice)}; [ -f "$f" ] && echo y${dice.below(9)} >> "$f"; git add -A`,
  'new file': (dice) => `echo new${dice.below(9)} > new${dice.below(4)}.txt`,
  'add all': () => 'git add -A',
  'add one': (dice) => `git add ${file(dice)}`,
  'add intent': () => 'git add -N new0.txt',
  mv: (dice) => `git mv ${file(dice)} mv${dice.below(3)}.txt`,
  rm: (dice) => `git rm -q -f ${file(dice)}`,
  'rm cached': (dice) => `git rm -q --cached ${file(dice)}`,
  ignore: () => 'echo "new*" >> .gitignore',
  clean: () => 'git clean -qfd -e wt0 -e wt1',
  restore: (dice) => `git restore ${file(dice)}`,
  'restore staged': () => 'git restore --staged .',
  'checkout files': (dice) => `git checkout ${revision(dice)} -- .`,
  status: () => 'git status',
};

const COMMITTING: Readonly<Record<string, (dice: Dice) => string>> = {
  'commit -a': () => 'git commit -qam work',
  'commit all': () => 'git add -A && git commit -qm all',
  'commit empty': () => 'git commit -q --allow-empty -m e',
  amend: () => 'git commit -q --amend -a --no-edit',
  'commit one path': (dice) => `git commit -qm path -- ${file(dice)}`,
  fixup: () => 'git commit -q --allow-empty --fixup HEAD',
  'revert HEAD': () => 'git revert --no-edit HEAD',
  revert: (dice) => `git revert --no-edit ${revision(dice)}`,
  'revert --abort': () => 'git revert --abort',
  'cherry-pick': (dice) => `git cherry-pick ${revision(dice)}`,
  'cherry-pick range': (dice) => `git cherry-pick ${branch(dice)}~1..${branch(dice)}`,
  'cherry-pick --abort': () => 'git cherry-pick --abort',
  'cherry-pick --continue': () => 'git add -A && git cherry-pick --continue',
  'cherry-pick --no-commit': (dice) => `git cherry-pick -n ${revision(dice)}`,
  am: () =>
    'p=$(mktemp); git format-patch -q -1 --stdout > $p; git reset -q --hard HEAD~1; git am -q $p; rm $p',
  'am --abort': () => 'git am --abort',
};

const BRANCHING: Readonly<Record<string, (dice: Dice) => string>> = {
  branch: (dice) => `git branch br${dice.below(3)} ${revision(dice)}`,
  'branch -f': (dice) => `git branch -f br${dice.below(3)} ${revision(dice)}`,
  switch: (dice) => `git switch -q ${branch(dice)}`,
  'switch -c': (dice) => `git switch -q -c sw${dice.below(3)}`,
  'switch --detach': (dice) => `git switch -q --detach ${revision(dice)}`,
  checkout: (dice) => `git checkout -q ${revision(dice)}`,
  'checkout -f': (dice) => `git checkout -q -f ${branch(dice)}`,
  'checkout -B': (dice) => `git checkout -q -B sw${dice.below(3)} ${revision(dice)}`,
  orphan: () => 'git checkout -q --orphan lone',
  'symbolic-ref HEAD': () => 'git symbolic-ref HEAD refs/heads/orphan',
  'symbolic-ref': () => 'git symbolic-ref refs/heads/alias refs/heads/main',
  'reset --hard to': (dice) => `git reset -q --hard ${revision(dice)}`,
  'reset --hard': () => 'git reset -q --hard',
  'reset --soft': (dice) => `git reset -q --soft ${revision(dice)}`,
  'reset mixed': (dice) => `git reset -q ${revision(dice)}`,
  'reset ORIG_HEAD': () => 'git reset -q --hard ORIG_HEAD',
  'reset --keep': (dice) => `git reset -q --keep ${revision(dice)}`,
  tag: (dice) => `git tag t${dice.below(4)}`,
  'tag -a': (dice) => `git tag -f -a -m x t${dice.below(4)}`,
  'tag -d': (dice) => `git tag -d t${dice.below(4)}`,
  'update-ref': (dice) => `git update-ref refs/kept/k${dice.below(3)} ${revision(dice)}`,
  'update-ref -d': (dice) => `git update-ref -d refs/kept/k${dice.below(3)}`,
};

const JOINING: Readonly<Record<string, (dice: Dice) => string>> = {
  merge: (dice) => `git merge --no-edit ${revision(dice)}`,
  'merge --no-ff': (dice) => `git merge --no-ff --no-edit ${branch(dice)}`,
  'merge --squash': (dice) => `git merge --squash ${branch(dice)}`,
  'merge --abort': () => 'git merge --abort',
  'merge --continue': () => 'git add -A && git merge --continue',
  'merge -s ours': (dice) => `git merge -q -s ours --no-edit ${branch(dice)}`,
  'merge -X theirs': (dice) => `git merge -q -X theirs --no-edit ${branch(dice)}`,
  rebase: (dice) => `git rebase ${branch(dice)}`,
  'rebase --apply': (dice) => `git rebase --apply ${branch(dice)}`,
  'rebase --continue': () => 'git add -A && git rebase --continue',
  'rebase --abort': () => 'git rebase --abort',
  'rebase --skip': () => 'git rebase --skip',
  'rebase --quit': () => 'git rebase --quit',
  'rebase --autostash': (dice) => `git rebase --autostash ${branch(dice)}`,
  'rebase -i': () => `GIT_SEQUENCE_EDITOR="sed -i '1s/pick/edit/'" git rebase -i HEAD~1`,
  'rebase --onto': (dice) => `git rebase --onto ${branch(dice)} HEAD~1`,
  'bisect start': (dice) => `git bisect start HEAD ${revision(dice)}`,
  'bisect good': () => 'git bisect good',
  'bisect bad': () => 'git bisect bad',
  'bisect reset': () => 'git bisect reset',
};

const KEEPING: Readonly<Record<string, (dice: Dice) => string>> = {
  stash: () => 'git stash push -q',
  'stash -u': () => 'git stash push -q -u -- . ":!wt0" ":!wt1"',
  'stash -m': () => 'git stash push -m named',
  'stash --keep-index': () => 'git stash push -q --keep-index',
  'stash pop': () => 'git stash pop',
  'stash apply': () => 'git stash apply',
  'stash apply --index': () => 'git stash apply --index',
  'stash drop': () => 'git stash drop',
  'stash drop second': () => 'git stash drop stash@{1}',
  'stash clear': () => 'git stash clear',
  'stash branch': (dice) => `git stash branch st${dice.below(3)}`,
  'notes add': (dice) => `git notes add -f -m note${dice.below(3)} ${dice.pick(['HEAD', 'main'])}`,
  'notes remove': () => 'git notes remove HEAD',
  replace: () => 'git replace -f HEAD HEAD~1',
  'replace -d': () => 'git replace -d HEAD',
  gc: () => 'git gc -q',
  'gc --prune=now': () => 'git gc -q --prune=now',
  'pack-refs': () => 'git pack-refs --all',
  repack: () => 'git repack -adq',
  'reflog expire': () => 'git reflog expire --expire=now --all',
  'reflog delete': () => 'git reflog delete HEAD@{1}',
  'assume-unchanged': () => 'git update-index --assume-unchanged a.txt',
  'no-assume-unchanged': () => 'git update-index --no-assume-unchanged a.txt',
  'skip-worktree': () => 'git update-index --skip-worktree b.txt',
  'no-skip-worktree': () => 'git update-index --no-skip-worktree b.txt',
};

const ELSEWHERE: Readonly<Record<string, (dice: Dice) => string>> = {
  fetch: () => 'git fetch -q',
  'fetch --prune': () => 'git fetch -q --prune',
  push: () => 'git push -q origin HEAD',
  'push -f': () => 'git push -q -f origin HEAD:one',
  'push --delete': () => 'git push -q origin --delete sw0',
  'push --tags': () => 'git push -q --tags',
  'pull --rebase': () => 'git pull -q --rebase',
  'pull --no-rebase': () => 'git pull -q --no-rebase origin one',
  'worktree add --detach': (dice) => `git worktree add -q wt${dice.below(2)} --detach ${revision(dice)}`,
  'worktree add -b': (dice) => `git worktree add -q -b wb${dice.below(3)} wt${dice.below(2)}`,
  'commit in a worktree': (dice) => `(cd wt${dice.below(2)} && echo w >> a.txt && git commit -qam inwt)`,
};

/** They change what git obeys: settings (those of a branch go with it), pointers of worktrees and submodules. */
const SETTING: Readonly<Record<string, (dice: Dice) => string>> = {
  'branch -d': (dice) => `git branch -d ${dice.pick([...BRANCHES, 'br0', 'br1', 'sw0'])}`,
  'branch -D': (dice) => `git branch -D ${dice.pick(['br0', 'br1', 'sw0', 'two'])}`,
  'branch -m': (dice) => `git branch -m ${dice.pick(['br0', 'sw0'])} ${dice.pick(['br0/x', 'ren'])}`,
  'branch where a folder was': () => 'git branch -D br0/x; git branch br0 HEAD',
  'branch -c': () => 'git branch -c main copied',
  'worktree remove': (dice) => `git worktree remove --force wt${dice.below(2)}`,
  'worktree prune': (dice) => `rm -rf wt${dice.below(2)}; git worktree prune`,
  'worktree move': () => 'git worktree move wt0 wt1',
  'worktree lock': () => 'git worktree lock wt0',
  'worktree unlock': () => 'git worktree unlock wt0',
  'submodule add': () => `git submodule add -q ${LIBRARY} sm`,
  'submodule add and commit': () => `git submodule add -q ${LIBRARY} sm && git commit -qm addsub`,
  'submodule update --init': () => 'git submodule update -q --init',
  'submodule update --remote': () => 'git submodule update -q --remote',
  'checkout in a submodule': () => '[ -e sm/.git ] && (cd sm && git checkout -q HEAD~1)',
  'commit in a submodule': () =>
    '[ -e sm/.git ] && (cd sm && echo x > y && git add y && git commit -qm insub)',
  'submodule deinit': () => 'git submodule deinit -q -f sm',
  'sparse-checkout cone': () => 'git sparse-checkout set sub',
  'sparse-checkout': () => 'git sparse-checkout set --no-cone "/*" "!deep"',
  'sparse-checkout disable': () => 'git sparse-checkout disable',
  'config user.name': (dice) => `git config user.name n${dice.below(4)}`,
  'config description': (dice) => `git config branch.main.description d${dice.below(3)}`,
  'config --unset': () => 'git config --unset user.name',
  'config pull.rebase': () => 'git config pull.rebase true',
  'remote add': (dice) => `git remote add r${dice.below(2)} https://example.com/x${dice.below(3)}.git`,
  'remote rename': () => 'git remote rename r0 r1',
  'remote remove': () => 'git remote remove r1',
  'remote set-url': (dice) => `git remote set-url r0 https://example.com/y${dice.below(3)}.git`,
  'remote set-head': () => 'git remote set-head origin main',
  'set upstream': () => 'git branch --set-upstream-to=origin/main',
  'unset upstream': () => 'git branch --unset-upstream',
};

const listed = (kinds: Readonly<Record<string, (dice: Dice) => string>>): readonly GitOperation[] =>
  Object.entries(kinds).map(([name, line]) => ({ name, line }));

export const DATA_OPERATIONS: readonly GitOperation[] = [
  EDITING,
  COMMITTING,
  BRANCHING,
  JOINING,
  KEEPING,
  ELSEWHERE,
].flatMap(listed);

export const GIT_OPERATIONS: readonly GitOperation[] = [...DATA_OPERATIONS, ...listed(SETTING)];
