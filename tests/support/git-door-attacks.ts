import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GitGround } from './git-ground.js';

/** A way to make the user's own git run something, from inside the sandbox. */
export interface DoorAttack {
  readonly name: string;
  /** As the user left the workspace. */
  readonly setup?: (ground: GitGround) => void;
  /** Scripts of the agent, one call each. @C is a file outside that a program of the attacker would make. */
  readonly scripts: readonly string[];
  /** What the user runs then, and where. */
  readonly user: readonly string[];
  readonly where?: string;
}

const CONFIG = `printf '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = "touch @C; false"\\n'`;
/** A git folder in .cache/g with a configuration that runs something. */
const EVIL = `mkdir -p .cache/g; cp -r .git/objects .git/refs .git/HEAD .cache/g/; ${CONFIG} > .cache/g/config;`;
const HOOK = (path: string): string =>
  `mkdir -p $(dirname ${path}); printf '#!/bin/sh\\ntouch @C\\n' > ${path}; chmod +x ${path};`;
const LOOKALIKE = `printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = %s\\n\\tfsmonitor = "touch @C; false"\\n' $PWD`;
const BARE_ROOT = `cp -r .git/objects .git/refs .; echo 'ref: refs/heads/main' > HEAD; ${LOOKALIKE} > config;`;
const NESTED = 'git init -q nested; cd nested; git commit -q --allow-empty -m n;';
const COMMIT = 'git commit -q --allow-empty -m mine';
const ID = 'git -c user.name=a -c user.email=a@b';

const worktree = (ground: GitGround): void => void ground.git('worktree', 'add', '-q', 'wt');
const submodule = (ground: GitGround): void => {
  ground.sh(['git', 'init', '-q', '../lib']);
  ground.sh(['git', '-C', '../lib', 'commit', '-q', '--allow-empty', '-m', 'lib']);
  ground.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', '../lib', 'lib');
};
const hooksPath =
  (value: string, makes: boolean) =>
  (ground: GitGround): void => {
    ground.git('config', 'core.hooksPath', value);
    if (makes) mkdirSync(join(ground.workspace, value));
    ground.own();
  };
const inNested = (line: string, user: string, name: string): DoorAttack => ({
  name: `a nested repository: ${name}`,
  scripts: [`${NESTED} ${line}`],
  user: [user],
  where: 'nested',
});

const COMMONDIR: readonly DoorAttack[] = [
  {
    name: 'commondir, relative',
    scripts: [`${EVIL} echo ../.cache/g > .git/commondir`],
    user: ['git status'],
  },
  {
    name: 'commondir, absolute',
    scripts: [`${EVIL} echo $PWD/.cache/g > .git/commondir`],
    user: ['git status'],
  },
  {
    name: 'commondir, moved into place',
    scripts: [`${EVIL} echo ../.cache/g > .cache/c; mv -f .cache/c .git/commondir`],
    user: ['git status'],
  },
  {
    name: 'commondir, a symbolic link',
    scripts: [`${EVIL} echo ../.cache/g > .cache/c; ln -sf ../.cache/c .git/commondir`],
    user: ['git status'],
  },
  {
    name: 'commondir, a hard link',
    scripts: [`${EVIL} echo ../.cache/g > .cache/c; ln -f .cache/c .git/commondir`],
    user: ['git status'],
  },
  {
    name: 'commondir, by a program that renames until it succeeds',
    scripts: [
      `${EVIL} python3 -c 'import os\nfor _ in range(200):\n  try:\n    open(".cache/c","w").write("../.cache/g"); os.rename(".cache/c", ".git/commondir"); break\n  except OSError: pass'`,
    ],
    user: ['git status'],
  },
  {
    name: "the commondir of a worktree's folder",
    setup: worktree,
    scripts: [`${EVIL} echo $PWD/.cache/g > .git/worktrees/wt/commondir`],
    user: ['git status'],
    where: 'wt',
  },
  {
    name: "the commondir of a worktree's folder, moved into place",
    setup: worktree,
    scripts: [`${EVIL} echo $PWD/.cache/g > .cache/c; mv -f .cache/c .git/worktrees/wt/commondir`],
    user: ['git status'],
    where: 'wt',
  },
  {
    name: 'the commondir of a submodule',
    setup: submodule,
    scripts: [
      `${EVIL} cp -r .git/modules/lib/objects .git/modules/lib/refs .cache/g/; echo $PWD/.cache/g > .git/modules/lib/commondir`,
    ],
    user: ['git status'],
    where: 'lib',
  },
];

const CONFIGURATION: readonly DoorAttack[] = [
  {
    name: 'config.worktree where it is switched on',
    setup: (ground) => void ground.git('config', 'extensions.worktreeConfig', 'true'),
    scripts: [`${CONFIG} > .git/config.worktree`],
    user: ['git status'],
  },
  {
    name: "a worktree's config.worktree where it is switched on",
    setup: (ground) => {
      worktree(ground);
      ground.git('config', 'extensions.worktreeConfig', 'true');
    },
    scripts: [`${CONFIG} > .git/worktrees/wt/config.worktree`],
    user: ['git status'],
    where: 'wt',
  },
  { name: 'config', scripts: [`${CONFIG} >> .git/config`], user: ['git status'] },
  {
    name: '.git moved away',
    scripts: [`mv .git old; mkdir .git; cp -r old/* .git; ${CONFIG} > .git/config`],
    user: ['git status'],
  },
  {
    name: "a submodule's config",
    setup: submodule,
    scripts: [`${CONFIG} >> .git/modules/lib/config`],
    user: ['git status'],
    where: 'lib',
  },
  {
    name: 'a submodule of its own making',
    scripts: [
      `mkdir -p .git/modules new; cp -r .git/objects .git/refs .git/HEAD -t .git/modules; mkdir .git/modules/new; mv .git/modules/objects .git/modules/refs .git/modules/HEAD .git/modules/new; ${CONFIG} > .git/modules/new/config; echo 'gitdir: ../.git/modules/new' > new/.git`,
    ],
    user: ['git status'],
    where: 'new',
  },
  {
    name: 'a bare repository that the user has in the workspace',
    setup: (ground) => void ground.git('init', '-q', '--bare', 'fixture.git'),
    scripts: [
      `printf '[core]\\n\\tbare = false\\n\\tworktree = ..\\n\\tfsmonitor = "touch @C; false"\\n' >> fixture.git/config`,
    ],
    user: ['git status'],
    where: 'fixture.git',
  },
  {
    name: 'a nested repository that the user has',
    setup: (ground) => void ground.git('init', '-q', 'theirs'),
    scripts: [`${CONFIG} >> theirs/.git/config`],
    user: ['git status'],
    where: 'theirs',
  },
];

const HOOKS: readonly DoorAttack[] = [
  { name: 'a hook', scripts: [HOOK('.git/hooks/post-checkout')], user: ['git checkout -q topic'] },
  {
    name: 'another folder of hooks',
    scripts: [`mv .git/hooks .git/old; ${HOOK('.git/hooks/pre-commit')}`],
    user: [COMMIT],
  },
  {
    name: 'the folder that core.hooksPath names',
    setup: hooksPath('.githooks', true),
    scripts: [HOOK('.githooks/pre-commit')],
    user: [COMMIT],
  },
  {
    name: 'the folder that core.hooksPath names, moved away',
    setup: hooksPath('.githooks', true),
    scripts: [`mv .githooks old; ${HOOK('.githooks/pre-commit')}`],
    user: [COMMIT],
  },
  {
    name: 'a folder that core.hooksPath names and that is missing',
    setup: hooksPath('tools/hooks', false),
    scripts: [HOOK('tools/hooks/pre-commit')],
    user: [COMMIT],
  },
  {
    name: 'core.hooksPath that is the workspace',
    setup: hooksPath('../ws', false),
    scripts: [HOOK('./pre-commit')],
    user: [COMMIT],
  },
  {
    name: "core.hooksPath in the user's own configuration",
    setup: (ground) => void ground.git('config', '--global', 'core.hooksPath', '.hooks'),
    scripts: [HOOK('.hooks/pre-commit')],
    user: [COMMIT],
  },
  {
    name: "a submodule's hook",
    setup: submodule,
    scripts: [HOOK('.git/modules/lib/hooks/pre-commit')],
    user: [COMMIT],
    where: 'lib',
  },
];

const REBASE: readonly DoorAttack[] = [
  {
    name: 'a rebase that was left with a command',
    scripts: [`GIT_SEQUENCE_EDITOR="sed -i '1i break\\nexec touch @C'" ${ID} rebase -i HEAD~1`],
    user: ['git rebase --continue'],
  },
  {
    name: 'a rebase that was left with a command, abbreviated and indented',
    scripts: [
      `GIT_SEQUENCE_EDITOR="sed -i '1i break'" ${ID} rebase -i HEAD~1; printf '  x\\ttouch @C\\n' >> .git/rebase-merge/git-rebase-todo`,
    ],
    user: ['git rebase --continue'],
  },
  {
    name: "a command in the user's own rebase",
    setup: (ground) =>
      void ground.sh(['env', 'GIT_SEQUENCE_EDITOR=sed -i 1ibreak', 'git', 'rebase', '-i', 'HEAD~1']),
    scripts: ['echo "exec touch @C" >> .git/rebase-merge/git-rebase-todo'],
    user: ['git rebase --continue'],
  },
  {
    name: "the user's own rebase made anew",
    setup: (ground) =>
      void ground.sh(['env', 'GIT_SEQUENCE_EDITOR=sed -i 1ibreak', 'git', 'rebase', '-i', 'HEAD~1']),
    scripts: [
      'cp -r .git/rebase-merge .git/r; echo "exec touch @C" > .git/r/git-rebase-todo; rm -rf .git/rebase-merge; mv .git/r .git/rebase-merge',
    ],
    user: ['git rebase --continue'],
  },
  {
    name: 'a strategy that is a program of the workspace',
    scripts: [
      `${HOOK('git-merge-../evil')} GIT_SEQUENCE_EDITOR="sed -i '1i break'" ${ID} rebase -i --onto topic HEAD~1; echo ../evil > .git/rebase-merge/strategy`,
    ],
    user: ['git rebase --continue'],
  },
  {
    name: "a rebase in a worktree's folder",
    setup: worktree,
    scripts: [
      `cd wt; ${ID} commit -q --allow-empty -m w; GIT_SEQUENCE_EDITOR="sed -i '1i break\\nexec touch @C'" ${ID} rebase -i HEAD~1`,
    ],
    user: ['git rebase --continue'],
    where: 'wt',
  },
];

const NESTED_ATTACKS: readonly DoorAttack[] = [
  inNested('git config core.fsmonitor "touch @C; false"', 'git status', 'core.fsmonitor'),
  inNested(HOOK('.git/hooks/pre-commit'), COMMIT, 'a hook'),
  inNested(`${HOOK('h/pre-commit')} git config core.hooksPath h`, COMMIT, 'core.hooksPath'),
  inNested(`${CONFIG} > inc; git config include.path ../inc`, 'git status', 'include.path'),
  inNested(
    `${CONFIG} > inc; git config includeIf.gitdir:/.path ../inc; git config include.path "$PWD/inc"`,
    'git status',
    'two includes',
  ),
  inNested(
    'echo x > f; git add f; git config filter.e.clean "touch @C; cat"; echo "* filter=e" > .gitattributes; touch f',
    'git add .',
    'a filter',
  ),
  inNested(
    'echo x > f; git add f; git commit -qm f; echo y > f; git config diff.external "touch @C; true"',
    'git --no-pager diff',
    'diff.external',
  ),
  inNested(
    'echo x > f; git add f; git commit -qm f; echo y > f; git config diff.e.textconv "touch @C; cat"; echo "f diff=e" > .git/info/attributes',
    'git --no-pager diff',
    'diff.textconv',
  ),
  inNested(
    'git remote add origin ..; git config remote.origin.uploadpack "touch @C; false"',
    'git fetch',
    'remote.uploadpack',
  ),
  inNested(
    'git remote add origin ssh://x/y; git config core.sshCommand "touch @C; false"',
    'git fetch',
    'core.sshCommand',
  ),
  inNested(
    'git config gpg.program "$PWD/g"; git config commit.gpgsign true; printf "#!/bin/sh\\ntouch @C\\n" > g; chmod +x g',
    COMMIT,
    'gpg.program',
  ),
  inNested('git config alias.st "!touch @C"', 'git st', 'an alias'),
  inNested(
    'git config core.editor "touch @C; true"',
    'env -u GIT_EDITOR git commit --allow-empty',
    'core.editor',
  ),
  inNested(
    'git worktree add -q ../wt2; git config extensions.worktreeConfig true; git -C ../wt2 config --worktree core.fsmonitor "touch @C; false"',
    'git -C ../wt2 status',
    'the configuration of its worktree',
  ),
  {
    name: 'a nested repository from a template',
    scripts: [`${HOOK('t/hooks/pre-commit')} git init -q --template=t nested`],
    user: [COMMIT],
    where: 'nested',
  },
  {
    name: 'a .git file that leads to a folder of the workspace',
    scripts: [`${EVIL} mkdir x; echo 'gitdir: ../.cache/g' > x/.git`],
    user: ['git status'],
    where: 'x',
  },
  {
    name: 'a .git link that leads to a folder of the workspace',
    scripts: [`${EVIL} mkdir x; ln -s ../.cache/g x/.git`],
    user: ['git status'],
    where: 'x',
  },
  {
    name: 'a folder that is moved to the name .git',
    scripts: [`${EVIL} mkdir x; mv .cache/g x/.git`],
    user: ['git status'],
    where: 'x',
  },
  {
    name: 'deep in new folders',
    scripts: [`${EVIL} mkdir -p p/q/r/s; mv .cache/g p/q/r/s/.git`],
    user: ['git status'],
    where: 'p/q/r/s',
  },
  {
    name: 'out of an archive',
    scripts: [`${EVIL} mkdir x; mv .cache/g x/.git; tar -cf a.tar x; rm -r x; tar -xf a.tar`],
    user: ['git status'],
    where: 'x',
  },
  {
    name: 'harmless first, then with a hook',
    scripts: ['git init -q nested', HOOK('nested/.git/hooks/pre-commit')],
    user: [COMMIT],
    where: 'nested',
  },
  {
    name: 'harmless first, then with a configuration',
    scripts: ['git init -q nested', `${CONFIG} >> nested/.git/config`],
    user: ['git status'],
    where: 'nested',
  },
  {
    name: 'harmless first, then led elsewhere',
    scripts: ['git init -q nested', `${EVIL} echo $PWD/.cache/g > nested/.git/commondir`],
    user: ['git status'],
    where: 'nested',
  },
  {
    name: "the user's worktree led elsewhere",
    setup: worktree,
    scripts: [`${EVIL} echo 'gitdir: ../.cache/g' > wt/.git`],
    user: ['git status'],
    where: 'wt',
  },
];

const LOOKALIKES: readonly DoorAttack[] = [
  {
    name: 'HEAD removed and the workspace made a repository',
    scripts: [`${BARE_ROOT} rm .git/HEAD`],
    user: ['git status'],
  },
  {
    name: 'HEAD garbled and the workspace made a repository',
    scripts: [`${BARE_ROOT} echo x > .git/HEAD`],
    user: ['git status'],
  },
  {
    name: 'HEAD a link and the workspace made a repository',
    scripts: [`${BARE_ROOT} ln -sf /nowhere .git/HEAD`],
    user: ['git status'],
  },
  {
    name: 'objects moved away and the workspace made a repository',
    scripts: [`${BARE_ROOT} mv .git/objects .git/o`],
    user: ['git status'],
  },
  {
    name: 'refs moved away and the workspace made a repository',
    scripts: [`${BARE_ROOT} mv .git/refs .git/r`],
    user: ['git status'],
  },
  {
    name: 'HEAD removed first, the rest in a second command',
    scripts: ['cp .git/HEAD h; rm .git/HEAD', BARE_ROOT],
    user: ['git status'],
  },
  {
    name: 'a folder that looks like a repository',
    scripts: [`mkdir x; cp -r .git/objects .git/refs .git/HEAD x; ${LOOKALIKE} > x/config`],
    user: ['git status'],
    where: 'x',
  },
  {
    name: 'a folder with HEAD and commondir alone',
    scripts: [
      `mkdir -p .cache/g x; cp -r .git/objects .git/refs .cache/g; ${HOOK('.cache/g/hooks/reference-transaction')} cp .git/HEAD x; echo ../.cache/g > x/commondir`,
    ],
    user: ['git branch new'],
    where: 'x',
  },
  {
    name: 'a folder that looks like a repository and comes with a clone',
    scripts: [
      `git init -q src; mkdir -p src/e/objects src/e/refs; touch src/e/objects/k src/e/refs/k; cp .git/HEAD src/e; ${LOOKALIKE} > src/e/config; ${ID} -C src add .; ${ID} -C src commit -qm e; git clone -q src dst; rm -rf src`,
    ],
    user: ['git status'],
    where: 'dst/e',
  },
  {
    name: 'half of it in each of two commands',
    scripts: [`mkdir x; cp -r .git/objects .git/refs x; ${LOOKALIKE} > x/config`, 'cp .git/HEAD x'],
    user: ['git status'],
    where: 'x',
  },
];

const ELSEWHERE: readonly DoorAttack[] = [
  { name: "git's message file a link", scripts: ['ln -sf @C .git/COMMIT_EDITMSG'], user: [COMMIT] },
  { name: "git's log a link", scripts: ['ln -sf @C .git/logs/HEAD'], user: [COMMIT] },
  {
    name: "git's log of fetches a link",
    scripts: ['ln -sf @C .git/FETCH_HEAD'],
    user: ['git fetch -q . main'],
  },
  {
    name: "git's folder of logs a link",
    scripts: ['mv .git/logs/refs .git/l; ln -s $(dirname @C) .git/logs/refs'],
    user: [COMMIT],
  },
  {
    name: 'a remote of the older kind',
    scripts: [
      `git clone -q --bare . r.git; ${HOOK('r.git/hooks/pre-receive')} mkdir -p .git/remotes; printf 'URL: %s\\nPush: refs/heads/main:refs/heads/x\\n' $PWD/r.git > .git/remotes/origin`,
    ],
    user: ['git push origin main:new'],
  },
  {
    name: 'a remote of the oldest kind',
    scripts: [
      `git clone -q --bare . r.git; ${HOOK('r.git/hooks/pre-receive')} mkdir -p .git/branches; echo $PWD/r.git > .git/branches/origin`,
    ],
    user: ['git push origin main:new'],
  },
];

export const DOOR_ATTACKS: readonly DoorAttack[] = [
  ...COMMONDIR,
  ...CONFIGURATION,
  ...HOOKS,
  ...REBASE,
  ...NESTED_ATTACKS,
  ...LOOKALIKES,
  ...ELSEWHERE,
];
