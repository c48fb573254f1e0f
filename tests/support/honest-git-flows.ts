import type { GitGround } from './git-ground.js';

/** Work that agents do with git, as scripts, one call each. */
export interface HonestFlow {
  readonly name: string;
  readonly setup?: (ground: GitGround) => void;
  /** One that only tidies worktrees is a line of its own, as agents write it. */
  readonly scripts: readonly string[];
}

const submodule = (ground: GitGround): void => {
  ground.sh(['git', 'init', '-q', '-b', 'main', 'lib.src']);
  ground.sh(['git', '-C', 'lib.src', 'commit', '-q', '--allow-empty', '-m', 'lib']);
  ground.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', './lib.src', 'lib');
  ground.git('commit', '-qam', 'submodule');
};
const remote = (ground: GitGround): void => {
  ground.git('clone', '-q', '--bare', '.', 'remote.git');
  ground.git('remote', 'add', 'origin', './remote.git');
  ground.git('fetch', '-q', 'origin');
  ground.git('branch', '-q', '--set-upstream-to=origin/main');
};
const worktree = (ground: GitGround): void => void ground.git('worktree', 'add', '-q', 'wt', '-b', 'side');
const conflict = 'git checkout -qb other HEAD~1; echo other > a.txt; git commit -qam other;';

export const HONEST_FLOWS: readonly HonestFlow[] = [
  {
    name: 'status, diff, log, show, blame',
    scripts: ['echo x >> a.txt; git status; git diff; git log --stat; git show HEAD; git blame a.txt'],
  },
  { name: 'add and commit', scripts: ['echo new > n.txt; git add n.txt; git commit -qm new'] },
  {
    name: 'commit -am, amend',
    scripts: ['echo x >> a.txt; git commit -qam x', 'git commit -q --amend -m y'],
  },
  {
    name: 'checkout and switch',
    scripts: ['git checkout -q topic', 'git switch -q -c third', 'git switch -q main'],
  },
  {
    name: 'restore and reset',
    scripts: [
      'echo x > a.txt; git restore a.txt',
      'echo y > b.txt; git add b.txt; git reset -q; git reset -q --hard HEAD~1',
    ],
  },
  { name: 'merge', scripts: ['git merge -q -m merged topic'] },
  {
    name: 'a merge with a conflict, aborted',
    scripts: [`${conflict} git merge main || true`, 'git merge --abort'],
  },
  {
    name: 'a merge with a conflict, resolved',
    scripts: [`${conflict} git merge main || true`, 'echo both > a.txt; git add a.txt; git commit -qm both'],
  },
  { name: 'rebase', scripts: ['git checkout -q topic; git rebase -q main'] },
  {
    name: 'rebase -i with picks',
    scripts: ['git checkout -q topic; GIT_SEQUENCE_EDITOR=true git rebase -q -i main'],
  },
  {
    name: 'rebase with a command that is run at once',
    scripts: ['git checkout -q topic; git rebase -q --exec "test -f a.txt" main'],
  },
  {
    name: 'a rebase that stops, and goes on in another call',
    scripts: [
      `${conflict} git rebase main || true`,
      'echo both > a.txt; git add a.txt; GIT_EDITOR=true git rebase --continue',
    ],
  },
  {
    name: 'a rebase that stops, aborted',
    scripts: [`${conflict} git rebase main || true`, 'git rebase --abort'],
  },
  { name: 'cherry-pick', scripts: ['git cherry-pick topic'] },
  {
    name: 'cherry-pick of several with a conflict, aborted',
    scripts: [`${conflict} git cherry-pick topic main || true`, 'git cherry-pick --abort'],
  },
  {
    name: 'cherry-pick of several with a conflict, continued',
    scripts: [
      `${conflict} git cherry-pick main topic || true`,
      'echo both > a.txt; git add a.txt; git -c core.editor=true cherry-pick --continue',
    ],
  },
  { name: 'revert', scripts: ['git revert --no-edit HEAD'] },
  {
    name: 'stash push and pop',
    scripts: ['echo x > a.txt; git stash push -q', 'git stash list; git stash pop -q'],
  },
  {
    name: 'stash with untracked files, kept',
    scripts: ['echo x > a.txt; echo n > n.txt; git stash push -q -u -m kept'],
  },
  {
    name: 'bisect',
    scripts: ['git bisect start; git bisect bad; git bisect good HEAD~1', 'git bisect reset'],
  },
  {
    name: 'bisect run',
    scripts: ['git bisect start HEAD HEAD~1; git bisect run test -f a.txt; git bisect reset'],
  },
  {
    name: 'worktree add',
    scripts: ['git worktree add -q wt -b side; cd wt; echo w > w.txt; git add .; git commit -qm w'],
  },
  {
    name: 'worktree add and remove',
    scripts: [
      'git worktree add -q wt -b side',
      'git worktree list; git worktree remove wt',
      'git worktree prune',
    ],
  },
  {
    name: "worktree remove of the user's own",
    setup: worktree,
    scripts: ['cd wt; echo w > w.txt; git add .; git commit -qm w', 'git worktree remove wt'],
  },
  { name: 'worktree move', setup: worktree, scripts: ['git worktree move wt moved', 'git -C moved status'] },
  {
    name: 'branches and tags',
    scripts: [
      'git branch x; git branch -m x y; git tag v1; git tag -a -m two v2',
      'git branch -D y; git tag -d v1',
    ],
  },
  {
    name: 'clone into a folder',
    scripts: [
      'git clone -q . copy; cd copy; git checkout -q -b new; git commit -q --allow-empty -m n; rm -rf ../copy/.git/logs',
    ],
  },
  { name: 'clone, and remove it again', scripts: ['git clone -q . copy', 'rm -rf copy'] },
  {
    name: 'clone --bare, --mirror, --shared and --depth',
    scripts: [
      'git clone -q --bare . b.git; git clone -q --mirror . m.git; git clone -q -s . shared; git clone -q --depth 1 file://$PWD shallow',
    ],
  },
  {
    name: 'init, commit, configure a name',
    scripts: [
      'git init -q -b main nested; cd nested; git config user.name n; echo n > n; git add .; git commit -qm n',
      'cd nested; git config push.default simple; git checkout -q -b two',
    ],
  },
  {
    name: 'a repository for a test of its own, removed',
    scripts: [
      'mkdir -p tmp/x; cd tmp/x; git init -q; git commit -q --allow-empty -m x; cd ../..; rm -rf tmp',
    ],
  },
  {
    name: 'submodule update',
    setup: submodule,
    scripts: ['git submodule update -q', 'git submodule status; git submodule foreach git status'],
  },
  {
    name: 'a commit in a submodule',
    setup: submodule,
    scripts: ['cd lib; echo l > l.txt; git add .; git commit -qm l', 'git add lib; git commit -qm lib'],
  },
  {
    name: 'submodule add',
    scripts: [
      'git init -q src; git -C src commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule add -q ./src mod || true; rm -rf mod src .gitmodules .git/modules/mod; git reset -q --hard',
    ],
  },
  {
    name: 'fetch, pull --rebase and push',
    setup: remote,
    scripts: [
      'git fetch -q; git commit -q --allow-empty -m p; git push -q origin main',
      'git pull -q --rebase',
    ],
  },
  {
    name: 'gc, repack, fsck, reflog',
    scripts: [
      'git gc -q; git repack -qad; git fsck --no-progress; git reflog expire --expire=now --all; git prune',
      'git pack-refs --all; git count-objects -v; git maintenance run -q --task=gc',
    ],
  },
  {
    name: 'format-patch and am',
    scripts: ['git format-patch -q -1 topic -o p; git am -q p/*.patch; rm -r p'],
  },
  {
    name: 'an am that fails, aborted',
    scripts: [
      'git format-patch -q -1 main -o p; git checkout -q -b old HEAD~1; echo z > a.txt; git commit -qam z; git am -q p/*.patch || true',
      'git am --abort; rm -r p',
    ],
  },
  {
    name: 'mv, rm and clean',
    scripts: ['git mv a.txt moved.txt; git rm -q b.txt; touch junk; git clean -fdq; git commit -qm moved'],
  },
  {
    name: 'notes, replace, archive, bundle',
    scripts: [
      'git notes add -m note; git archive HEAD -o a.tar; git bundle create -q b.bundle main; git replace --list; rm a.tar b.bundle',
    ],
  },
  {
    name: 'a folder with names of git',
    scripts: [
      'mkdir -p hooks config refs; echo x > hooks/pre-commit; echo x > HEAD; git add .; git commit -qm names',
    ],
  },
  {
    name: 'filter-branch',
    scripts: [
      'FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter cat HEAD~1..HEAD; rm -rf .git/refs/original',
    ],
  },
];
