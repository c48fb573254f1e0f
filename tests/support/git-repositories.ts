import type { TwinRepository, TwinStep } from './git-twins.js';

export interface GitRepository extends TwinRepository {
  readonly name: string;
  /** Beside the everyday commands, which run after these. */
  readonly steps: readonly TwinStep[];
  /** A repository in which the everyday commands have nothing to work on. */
  readonly isOdd?: boolean;
}

/** What a repository has that the plain one does not; each a piece of script, run before a commit. */
interface Pieces {
  readonly first?: string;
  readonly topic?: string;
  readonly main?: string;
  /** On the remote, one commit ahead. */
  readonly ahead?: string;
  /** After everything, nothing is committed. */
  readonly last?: string;
}

const HELPERS = `
w() { mkdir -p -- "$(dirname -- "$1")"; printf "$2" > "$1"; }
c() { git add -A; git commit -qm "$1"; }
`;

/** Two branches that differ, and a remote that is one commit ahead. */
function repository({ first = '', topic = '', main = '', ahead = '', last = '' }: Pieces): string {
  return `${HELPERS}
git init -q -b main .
echo /remote.git >> .git/info/exclude
w a.txt 'a\\n1\\n2\\n3\\n4\\n5\\n'; w b.txt 'b\\n'; w sub/c.txt 'c\\n'
${first}
c one
git checkout -qb topic; w b.txt 'topic\\n'
${topic}
c topic
git checkout -q main; w a.txt 'main\\n1\\n2\\n3\\n4\\n5\\n'
${main}
c two
git clone -q --bare . remote.git
git remote add origin ./remote.git; git fetch -q origin; git branch -q -u origin/main
git checkout -qb ahead; w r.txt 'r\\n'
${ahead}
c ahead; git push -q origin ahead:main; git update-ref refs/remotes/origin/main main
git checkout -q main; git branch -qD ahead
${last}
`;
}

const edit = (path: string, text: string): TwinStep => ({ edit: path, text });

/** Each command that agents use, in the forms they use; every repository goes through them. */
export const EVERYDAY: readonly TwinStep[] = [
  'git status',
  'git status --porcelain --ignored',
  'git diff',
  'git diff --stat main topic',
  edit('a.txt', 'edited\n1\n2\n3\n4\n5\n'),
  'git diff',
  'git add a.txt',
  'git diff --cached',
  'git commit -m edit',
  edit('a.txt', 'edited\n1\n2\n3\n4\n5\nmore\n'),
  edit('new.txt', 'new\n'),
  'git commit -am more',
  'git add -A',
  'git commit -q -m new',
  'git status --short --branch',
  'git checkout topic',
  'git status --short',
  'git checkout -b third main',
  'git switch topic',
  'git switch -c fourth main~1',
  'git switch main',
  edit('b.txt', 'dirty\n'),
  'git restore b.txt',
  'git restore --source topic b.txt',
  'git add b.txt',
  'git restore --staged b.txt',
  'git checkout -- b.txt',
  'git checkout topic -- .',
  'git status --short',
  'git reset --hard',
  'git merge --no-edit topic',
  'git status --short',
  'git reset --hard HEAD~1',
  'git switch -c picked main',
  'git cherry-pick topic',
  'git switch topic',
  'git rebase main',
  'git status --short',
  'git rebase --abort',
  'git switch -f main',
  edit('b.txt', 'stashed\n'),
  edit('loose.txt', 'loose\n'),
  'git stash push -m kept',
  'git stash list',
  'git stash pop',
  'git stash -u',
  'git switch topic',
  'git stash apply',
  'git stash drop',
  'git reset --hard',
  'git switch main',
  'git pull --rebase',
  'git log --oneline --graph --all',
  'git worktree add wt -b side topic',
  'git worktree list',
  'git -C wt status --short',
  'git worktree remove --force wt',
  'git worktree prune',
  'git submodule status',
  'git submodule update --init',
  'git bisect start',
  'git bisect bad',
  'git bisect good HEAD~2',
  'git bisect run test -f a.txt',
  'git bisect reset',
  'git status',
];

const secret = (name: string, path: string): GitRepository => ({
  name: `a tracked ${path}${name}`,
  script: repository({ first: `w ${path} 'value=1\\n'`, topic: `w ${path} 'value=2\\n'` }),
  steps: [
    'git status --short',
    'git diff',
    edit(path, 'value=3\n'),
    'git status --short',
    'git diff',
    'git commit -am secret',
    edit(path, 'value=4\n'),
    'git stash',
    'git stash pop',
    `git add ${path}`,
    'git commit -m again',
    `git show --stat`,
  ],
});

const guarded = (
  name: string,
  path: string,
  pieces: Pieces,
  steps: readonly TwinStep[] = [],
): GitRepository => ({
  name,
  guarded: [path],
  script: repository(pieces),
  steps,
});

const SUBMODULE = `
git init -q -b main lib.src; echo /lib.src >> .git/info/exclude
(cd lib.src; w l.txt 'l\\n'; c lib; git checkout -qb next; w l.txt 'next\\n'; c next; git checkout -q main)
git submodule --quiet add ./lib.src lib
`;

const SECRETS: readonly GitRepository[] = [
  secret('', '.npmrc'),
  secret('', '.env.production'),
  secret('', 'tests/fixtures/server.pem'),
  secret('', 'fixtures/id_rsa'),
  secret(' in a deep folder', 'packages/one/.npmrc'),
];

const PROTECTED: readonly GitRepository[] = [
  guarded('CLAUDE.md that differs between branches', 'CLAUDE.md', {
    first: `w CLAUDE.md 'one\\n'`,
    topic: `w CLAUDE.md 'topic\\n'`,
  }),
  guarded('a workflow that differs between branches', '.github/workflows/ci.yml', {
    first: `w .github/workflows/ci.yml 'on: push\\n'`,
    topic: `w .github/workflows/ci.yml 'on: pull_request\\n'`,
  }),
  guarded('AGENTS.md on one branch only', 'AGENTS.md', { topic: `w AGENTS.md 'topic\\n'` }),
  guarded('settings of an editor removed on a branch', '.vscode/settings.json', {
    first: `w .vscode/settings.json '{}\\n'`,
    topic: `git rm -q .vscode/settings.json`,
  }),
  {
    name: 'a protected file renamed between branches',
    guarded: ['CLAUDE.md', 'AGENTS.md'],
    script: repository({ first: `w CLAUDE.md 'one\\n'`, topic: 'git mv CLAUDE.md AGENTS.md' }),
    steps: [],
  },
  {
    name: 'several protected files at once',
    guarded: ['CLAUDE.md', 'AGENTS.md', '.github/workflows/ci.yml', '.gitlab-ci.yml', '.cursorrules'],
    script: repository({
      first: `for f in CLAUDE.md .github/workflows/ci.yml .gitlab-ci.yml .cursorrules; do w $f 'one\\n'; done`,
      topic: `for f in CLAUDE.md .github/workflows/ci.yml AGENTS.md; do w $f 'two\\n'; done; git rm -q .cursorrules`,
    }),
    steps: [],
  },
  guarded(
    'a merge that conflicts in a protected file',
    'CLAUDE.md',
    { first: `w CLAUDE.md 'one\\n'`, topic: `w CLAUDE.md 'topic\\n'`, main: `w CLAUDE.md 'main\\n'` },
    ['git merge topic', 'git status --short', 'git merge --abort', 'git rebase topic', 'git rebase --abort'],
  ),
  guarded(
    'a protected file that the remote changed',
    'CLAUDE.md',
    { first: `w CLAUDE.md 'one\\n'`, ahead: `w CLAUDE.md 'ahead\\n'` },
    ['git fetch', 'git merge --ff-only origin/main', 'git reset --hard HEAD~1'],
  ),
  guarded(
    'a protected file that the user has changed',
    'CLAUDE.md',
    { first: `w CLAUDE.md 'one\\n'`, last: `w CLAUDE.md 'by the user\\n'` },
    [
      'git status --short',
      'git diff',
      'git stash',
      'git stash pop',
      'git commit -am claude',
      'git switch topic',
      'git switch main',
      'git reset --hard HEAD~1',
    ],
  ),
  guarded('a protected file that is not tracked', 'CLAUDE.md', { last: `w CLAUDE.md 'loose\\n'` }, [
    'git status --short',
    'git stash -u',
    'git stash pop',
    'git add CLAUDE.md',
    'git commit -m claude',
  ]),
  guarded('a protected file ignored by git', '.envrc', {
    first: `w .gitignore '.envrc\\nbuild/\\n'`,
    last: `w .envrc 'x\\n'; w build/out 'x\\n'`,
  }),
];

const DENIED: readonly GitRepository[] = [
  {
    name: 'a policy that denies a tracked file',
    guarded: ['data/private.txt'],
    denied: ['data/private.txt'],
    script: repository({ first: `w data/private.txt 'one\\n'` }),
    steps: ['git status --short', 'git diff'],
  },
  {
    name: 'a policy that denies a tracked file that differs',
    guarded: ['data/private.txt'],
    denied: ['data/private.txt'],
    script: repository({ first: `w data/private.txt 'one\\n'`, topic: `w data/private.txt 'two\\n'` }),
    steps: ['git status --short', 'git stash', 'git switch topic'],
  },
  {
    name: 'a policy that denies a file that is not tracked',
    guarded: ['data/private.txt'],
    denied: ['data/private.txt'],
    script: repository({ first: `w .gitignore 'data\\n'`, last: `w data/private.txt 'one\\n'` }),
    steps: ['git status --short', 'git stash -u', 'git clean -nd'],
  },
];

const LAYOUTS: readonly GitRepository[] = [
  { name: 'plain', script: repository({}), steps: [] },
  {
    name: 'a linked worktree as the workspace',
    script: `mkdir ../main; cd ../main; ${repository({ last: 'git switch -qc parked main' })}
      rmdir ../ws; git worktree add -q ../ws main; cd ../ws; mv ../main/remote.git .`,
    steps: ['git worktree list', 'git commit --allow-empty -m here'],
  },
  {
    name: 'a submodule',
    script: repository({ first: SUBMODULE, topic: '(cd lib; git checkout -q next); git add lib' }),
    steps: [
      'git submodule update',
      'git submodule foreach git status --short',
      'git -C lib checkout -q origin/next',
      'git submodule status',
      'git diff --submodule',
      'git add lib',
      'git commit -m lib',
      'git checkout --recurse-submodules topic',
      'git submodule update --init --recursive',
      'git checkout main',
      'git submodule update',
    ],
  },
  {
    name: 'a .gitmodules file without its modules',
    script: `${repository({ first: SUBMODULE })} git submodule --quiet deinit -f lib`,
    steps: ['git submodule status', 'git submodule init', 'git submodule update'],
  },
  {
    name: 'a nested repository that is not tracked',
    script: repository({ last: `git init -q nested; (cd nested; w n.txt 'n\\n'; c nested)` }),
    steps: [
      'git status --short',
      'git -C nested log --oneline',
      'git -C nested checkout -b two',
      'git add nested',
    ],
  },
  {
    name: 'a nested clone',
    script: repository({ last: 'git clone -q remote.git clone; echo /clone >> .git/info/exclude' }),
    steps: [
      'git -C clone switch -c mine',
      'git -C clone commit --allow-empty -m mine',
      'git -C clone switch topic',
      'git -C clone pull --rebase origin main',
    ],
  },
  {
    name: 'renames',
    script: repository({
      first: `w old.txt '1\\n2\\n3\\n4\\n5\\n6\\n'`,
      topic: 'git mv old.txt renamed.txt; git mv sub moved',
      main: `w old.txt '1\\n2\\n3\\n4\\n5\\nsix\\n'`,
    }),
    steps: [
      'git diff -M --stat main topic',
      'git mv b.txt bb.txt',
      'git status --short',
      'git commit -m renamed',
    ],
  },
  {
    name: 'a sparse checkout',
    script: repository({ last: 'git sparse-checkout set sub' }),
    steps: ['git sparse-checkout list', 'git status', 'git checkout topic', 'git checkout main'],
  },
  {
    name: 'a sparse checkout without the protected file',
    guarded: ['docs/CLAUDE.md'],
    script: repository({
      first: `w docs/CLAUDE.md 'one\\n'`,
      topic: `w docs/CLAUDE.md 'two\\n'`,
      last: 'git sparse-checkout set sub',
    }),
    steps: [
      'git checkout topic',
      'git checkout main',
      'git sparse-checkout add docs',
      'git sparse-checkout disable',
    ],
  },
];

const NAMES: readonly GitRepository[] = [
  {
    name: 'names with spaces, newlines, quotes, letters of other scripts and a leading dash',
    script: repository({
      first: `for f in 'a b.txt' $'new\\nline' "it's" 'say "x"' 'grüße/日本.txt' ./-dash '[glob]*' 'back\\slash'; do w "$f" 'x\\n'; done`,
      topic: `for f in 'a b.txt' $'new\\nline' ./-dash 'grüße/日本.txt'; do w "$f" 'y\\n'; done`,
    }),
    steps: [
      edit('a b.txt', 'z\n'),
      edit('-dash', 'z\n'),
      'git status --short',
      'git diff',
      'git add -- -dash',
      "git add 'a b.txt'",
      "git commit -m 'odd names'",
      "git restore --source topic 'grüße/日本.txt'",
      'git checkout -- .',
    ],
  },
  {
    name: 'executable bits',
    script: repository({
      first: `w run.sh 'x\\n'; chmod +x run.sh`,
      topic: `chmod -x run.sh; chmod +x a.txt`,
    }),
    steps: [
      'chmod -x run.sh',
      'git diff',
      'git commit -am bits',
      'git update-index --chmod=+x b.txt',
      'git status --short',
    ],
  },
  {
    name: 'symbolic links',
    script: repository({
      first: 'ln -s a.txt link; ln -s sub folder; ln -s nowhere dangling',
      topic: 'ln -sf b.txt link; rm dangling',
    }),
    steps: ['ln -sf sub/c.txt link', 'git diff', 'git commit -am link', 'git status --short'],
  },
  {
    name: 'line ends by core.autocrlf',
    script: repository({
      first: `git config core.autocrlf true; w dos.txt 'a\\r\\nb\\r\\n'`,
      topic: `w dos.txt 'a\\r\\nc\\r\\n'`,
    }),
    steps: [edit('dos.txt', 'a\r\nd\r\n'), 'git diff', 'git commit -am dos', 'git status --short'],
  },
  {
    name: 'line ends by .gitattributes',
    script: repository({
      first: `w .gitattributes '*.bat eol=crlf\\n*.sh eol=lf\\n'; w x.bat 'a\\r\\n'; w x.sh 'a\\n'`,
      topic: `w x.bat 'b\\r\\n'; w .gitattributes '*.bat -text\\n'`,
    }),
    steps: [edit('x.bat', 'd\r\n'), 'git diff', 'git commit -am bat', 'git status --short'],
  },
  {
    name: 'binary files',
    script: repository({
      first: `printf '\\000\\001\\002' > x.bin`,
      topic: `printf '\\000\\003' > x.bin`,
      main: `head -c 300000 /dev/zero > big.bin`,
    }),
    steps: ['git diff --stat main topic', 'git diff --binary main topic -- x.bin'],
  },
];

const HISTORIES: readonly GitRepository[] = [
  {
    name: 'a file ignored by .gitignore',
    script: repository({
      first: `w .gitignore '*.log\\nout/\\n'`,
      last: `w x.log 'x\\n'; w out/y 'y\\n'; w .env 'KEY=1\\n'; echo .env >> .git/info/exclude`,
    }),
    steps: ['git status --ignored --short', 'git add -A', 'git stash -u', 'git clean -nd'],
  },
  {
    name: 'a stash with files that are not tracked',
    script: repository({ last: `w a.txt 'stash\\n'; w loose.txt 'x\\n'; git stash push -qu -m before` }),
    steps: [
      'git stash list',
      'git stash show --include-untracked --stat',
      'git stash pop',
      'git stash',
      'git stash drop',
      'git clean -fdq',
    ],
  },
  {
    name: 'a detached HEAD',
    script: repository({ last: 'git checkout -q --detach' }),
    steps: ['git status', 'git commit --allow-empty -m loose', 'git switch -c caught', 'git switch main'],
  },
  {
    name: 'an empty repository',
    isOdd: true,
    script: 'git init -q -b main .',
    steps: [
      'git status',
      'git log',
      'git stash',
      edit('a.txt', 'a\n'),
      'git add a.txt',
      'git diff --cached',
      "git commit -m 'the first'",
      'git switch -c topic',
      'git status',
      'git worktree add wt',
      'git bisect start',
      'git bisect reset',
    ],
  },
  {
    name: 'two hundred commits',
    script: repository({
      first: `for i in $(seq 200); do printf 'commit refs/heads/main\\nmark :%d\\ncommitter dev <dev@example.com> 1893456000 +0000\\ndata 2\\nn\\n%sM 100644 inline n.txt\\ndata <<E\\n%d\\nE\\n\\n' $i "" $i; done | git fast-import --quiet --force; git reset -q; git checkout -q -- n.txt`,
    }),
    steps: [
      'git log --oneline -n 3',
      'git checkout HEAD~50',
      'git bisect start main main~100',
      'git bisect run test -f n.txt',
      'git bisect reset',
      'git checkout main',
    ],
  },
  {
    name: 'packed refs and objects',
    script: repository({ last: 'for i in 1 2 3; do git tag v$i; git branch b$i; done; git gc -q' }),
    steps: ['git branch -D b2', 'git tag -d v1', 'git pack-refs --all', 'git branch --list'],
  },
  {
    name: 'a shallow clone',
    script: `mkdir ../src; cd ../src; ${repository({})}
      cd ../ws; git clone -q --no-single-branch --depth 1 "file://$PWD/../src" .; git branch -q topic origin/topic
      git clone -q --bare ../src remote.git; echo /remote.git >> .git/info/exclude; git remote set-url origin ./remote.git`,
    steps: ['git log --oneline', 'git fetch --deepen 1', 'git log --oneline'],
  },
  {
    name: 'tags and a reflog',
    script: repository({
      last: 'git tag v1; git tag -am two v2; git reset -q --hard HEAD~1; git reset -q --hard HEAD@{1}',
    }),
    steps: [
      'git reflog',
      'git checkout v1',
      'git checkout main',
      'git reset --hard HEAD@{1}',
      'git tag v3',
      'git describe',
    ],
  },
  {
    name: 'merges in the history',
    script: repository({ last: 'git merge -q --no-edit topic; git commit -q --allow-empty -m after' }),
    steps: [
      'git log --oneline --graph',
      'git revert --no-edit -m 1 HEAD~1',
      'git rebase --rebase-merges HEAD~2',
      'git reset --hard origin/main',
    ],
  },
  {
    name: 'a conflict in an ordinary file',
    script: repository({ first: `w x.txt 'one\\n'`, topic: `w x.txt 'topic\\n'`, main: `w x.txt 'main\\n'` }),
    steps: [
      'git merge topic',
      edit('x.txt', 'both\n'),
      'git add x.txt',
      'git commit --no-edit',
      'git reset --hard HEAD~1',
      'git rebase topic',
      edit('x.txt', 'both\n'),
      'git add x.txt',
      'git rebase --continue',
      'git cherry-pick main@{1}',
      'git cherry-pick --abort',
      edit('x.txt', 'dirty\n'),
      'git stash',
      'git switch topic',
      'git stash pop',
      'git checkout --theirs x.txt',
      'git reset --hard',
      'git switch main',
    ],
  },
];

export const GIT_REPOSITORIES: readonly GitRepository[] = [
  ...LAYOUTS,
  ...SECRETS,
  ...PROTECTED,
  ...DENIED,
  ...NAMES,
  ...HISTORIES,
];
